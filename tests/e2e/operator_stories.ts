// What operators do: pause and resume a submitter, requeue a transaction that lost its nonce, inspect the service.
import assert from "node:assert/strict";
import { eventually } from "./own_process.ts";
import { type Play, alice, bob, carol, recipient, transfer } from "./play.ts";

export async function stops({ admin }: Play): Promise<void> {
  const at = `/api/v1/submitters/${encodeURIComponent(bob)}`;
  const becomes = (status: string) =>
    eventually(status, 60, async () => (await admin.get(at)).status === status || undefined);
  await admin.post(`${at}/pause`, 202, { reason: "key rotation" });
  await becomes("PAUSED");
  assert.equal((await admin.get(at)).statusReason, "key rotation");
  assert.equal(
    (await admin.post("/api/v1/tx", 409, transfer(bob, "new"))).type,
    "urn:fencepost:problem:submitter-paused",
  );
  await admin.post("/api/v1/tx", 200, transfer(bob, "slow"));
  await admin.post(`${at}/resume`, 202);
  await becomes("ACTIVE");
  await admin.post(`${at}/protect`, 202, { reason: "a drill" });
  await becomes("PROTECT");
  assert.equal(
    (await admin.post("/api/v1/tx", 409, transfer(bob, "new"))).type,
    "urn:fencepost:problem:submitter-protected",
  );
  await admin.post(`${at}/unprotect`, 202);
  await becomes("ACTIVE");
  await admin.post(`${at}/reconcile`, 202);
  const { txId } = await admin.post("/api/v1/tx", 202, transfer(bob, "new"));
  assert.equal((await admin.get(`/api/v1/tx/${txId}?wait=60s`)).state, "CONFIRMED");
}

export async function requeueAfterNonceLoss({ admin, chain }: Play): Promise<void> {
  await chain.secondsPerBlock(0);
  const { txId } = await admin.post("/api/v1/tx", 202, transfer(carol, "robbed"));
  const sent = await eventually("it is in flight", 60, async () => {
    const seen = await admin.get(`/api/v1/tx/${txId}`);
    return seen.state === "TRACKING" ? seen : undefined;
  });
  await chain.call("anvil_dropTransaction", sent.txHash);
  // It is resubmitted after 2 s, before or after the external transaction: the one with the higher fee is mined.
  const dear = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };
  const stolen = { from: carol.split(":")[2], to: recipient, value: "0x2", nonce: "0x0", ...dear };
  await chain.call("eth_sendTransaction", stolen);
  await chain.mine(1); // only one: the external transaction must not be final before it is detected
  const stands = (what: string, is: (seen: any) => boolean) =>
    eventually(what, 150, async () => is(await admin.get(`/api/v1/tx/${txId}`)) || undefined);
  await stands("its nonce is taken", (seen) => seen.subState === "NONCE_TAKEN");
  const early = await admin.post(`/api/v1/tx/${txId}/requeue`, 409, { reason: "it should still run" });
  assert.equal(early.type, "urn:fencepost:problem:not-possible");
  await chain.mine(100);
  await stands("the thief is final", (seen) => seen.state === "FAILED_FINAL");
  await chain.secondsPerBlock(1);
  await admin.post(`/api/v1/submitters/${encodeURIComponent(carol)}/unprotect`, 202, { reason: "it was me" });
  await admin.post(`/api/v1/tx/${txId}/requeue`, 202, { reason: "it should still run" });
  const again = await eventually("it was queued again", 60, async () => {
    const { requeuedAs } = await admin.get(`/api/v1/tx/${txId}`);
    return requeuedAs ?? undefined;
  });
  const settled = await admin.get(`/api/v1/tx/${again}?wait=60s`);
  assert.deepEqual([settled.state, settled.requeuedFrom], ["CONFIRMED", txId]);
}

export async function shown({ admin, keys }: Play): Promise<void> {
  const { items } = await admin.get("/api/v1/submitters");
  assert.deepEqual(items.map((one: any) => one.submitter).sort(), [alice, bob, carol].sort());
  const first = await admin.get("/api/v1/submitters?limit=1");
  const rest = await admin.get(`/api/v1/submitters?limit=500&after=${encodeURIComponent(first.next)}`);
  assert.deepEqual([...first.items, ...rest.items].length, items.length);
  const shown = await admin.as(keys.read).get(`/api/v1/submitters/${encodeURIComponent(alice)}`);
  assert.equal(shown.chain, "anvil");
  assert.ok(!("nextNonce" in shown), "callers see no nonce");
  assert.equal(shown.counts.FAILED_FINAL, 1);
  const chains = (await admin.get("/api/v1/chains")).items;
  assert.deepEqual([chains.length, chains[0].name, chains[0].id], [1, "anvil", "eip155:31337"]);
  const cluster = await admin.get("/api/v1/cluster");
  assert.deepEqual(
    cluster.nodes.map((node: any) => node.id),
    [cluster.node],
  );
}
