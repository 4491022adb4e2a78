// The fixtures that the parts of the conformance test share.
import type { Caller } from "./caller.ts";
import type { Keys } from "./service.ts";
import type { Anvil } from "./world.ts";

export type Play = {
  chain: Anvil;
  /** Calls with a key of the scope admin; the other keys are in `keys`. */
  admin: Caller;
  keys: Keys;
};

// Each part uses its own anvil accounts, so that a stopped submitter does not affect other parts.
export const alice = "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
export const bob = "eip155:31337:0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const carol = "eip155:31337:0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const recipient = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

export const transfer = (submitter: string, requestId: string, value = "1") => ({
  submitter,
  requestId,
  payload: { to: recipient, value },
});
