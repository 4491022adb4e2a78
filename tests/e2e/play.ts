// What every story of the conformance test plays with.
import type { Caller } from "./caller.ts";
import type { Keys } from "./service.ts";
import type { Anvil } from "./world.ts";

export type Play = {
  chain: Anvil;
  /** Calls with a key of the scope admin; the others' keys are in `keys`. */
  admin: Caller;
  keys: Keys;
};

// Each of anvil's accounts plays in stories of its own, so that a stopped one stops no other.
export const alice = "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
export const bob = "eip155:31337:0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const carol = "eip155:31337:0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const somebody = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

export const transfer = (submitter: string, requestId: string, value = "1") => ({
  submitter,
  requestId,
  payload: { to: somebody, value },
});
