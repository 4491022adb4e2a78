// What callers do with transactions: submit, query, cancel.
import assert from "node:assert/strict";
import { eventually } from "./own_process.ts";
import { type Play, alice, bob, recipient, transfer } from "./play.ts";

export async function fullLifecycle({ admin, keys }: Play): Promise<void> {
  const caller = admin.as(keys.write);
  const answer = await caller.ask({
    method: "POST",
    target: "/api/v1/tx",
    headers: {},
    body: transfer(alice, "life"),
  });
  assert.equal(answer.status, 202);
  const { txId } = answer.body;
  assert.equal(answer.headers.get("location"), `/api/v1/tx/${txId}`);
  assert.equal((await caller.post("/api/v1/tx", 200, transfer(alice, "life"))).txId, txId);

  const mined = await caller.get(`/api/v1/tx/${txId}?wait=60s&until=mined`);
  assert.ok(mined.receipt.succeeded);
  const settled = await caller.get(`/api/v1/tx/${txId}?wait=60s`);
  assert.equal(settled.state, "CONFIRMED");
  assert.equal(settled.error, null);
  assert.ok(settled.confirmations >= 3);
  assert.ok(!("nonce" in settled), "callers see no nonce");
  assert.equal((await admin.get(`/api/v1/tx/${txId}`)).nonce, 0);
  const found = await caller.get(`/api/v1/tx/by-request?submitter=${encodeURIComponent(alice)}&requestId=life`);
  assert.equal(found.txId, txId);

  const kinds = (await caller.get(`/api/v1/tx/${txId}/history`)).items.map((step: any) => step.kind);
  for (const kind of ["accepted", "allocated", "mined", "confirmed"]) assert.ok(kinds.includes(kind), kind);
  const attempts = await caller.get(`/api/v1/tx/${txId}/attempts`);
  assert.equal(attempts.items[0].txHash, settled.txHash);
  const confirmations = await caller.get(`/api/v1/tx/${txId}/confirmations`);
  assert.equal(confirmations.required, 3);
  assert.ok(confirmations.settled && confirmations.items.length >= 3);
  const after = await caller.get(`/api/v1/tx/${txId}/confirmations?after=${confirmations.items[0].hash}`);
  assert.deepEqual([after.newFork, after.items], [false, confirmations.items.slice(1)]);
  const replaced = await caller.get(`/api/v1/tx/${txId}/confirmations?after=${settled.txHash}`);
  assert.deepEqual([replaced.newFork, replaced.items], [true, confirmations.items]);
  assert.equal((await caller.get(`/api/v1/tx/${txId}/diagnosis`)).likely, null);
  for (const act of ["cancel", "speedup", "resubmit"]) {
    const { type } = await caller.post(`/api/v1/tx/${txId}/${act}`, 409, { reason: "too late" });
    assert.equal(type, "urn:fencepost:problem:already-settled");
  }
}

export async function contracts({ admin }: Play): Promise<void> {
  // Returns nothing from every call, and reverts calls with value.
  const code = "0x600a600c600039600a6000f3" + "34600557005b600080fd";
  const deployed = await admin.post("/api/v1/tx", 202, {
    submitter: alice,
    requestId: "deploy",
    payload: { data: code, fee: "fast" },
  });
  const { receipt } = await admin.get(`/api/v1/tx/${deployed.txId}?wait=60s`);
  const to = receipt.contractAddress;
  const call = { to, abi: "transfer(address,uint256)", args: [recipient, "1"] };
  const called = await admin.post("/api/v1/tx", 202, { submitter: alice, requestId: "call", payload: call });
  assert.match(called.payload.data, /^0xa9059cbb/);
  assert.equal((await admin.get(`/api/v1/tx/${called.txId}?wait=60s`)).state, "CONFIRMED");
  const paying = {
    to,
    value: 1,
    gas: 100000,
    fee: { maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "1000000000" },
  };
  const failing = await admin.post("/api/v1/tx", 202, { submitter: alice, requestId: "revert", payload: paying });
  const failed = await admin.get(`/api/v1/tx/${failing.txId}?wait=60s`);
  assert.equal(failed.state, "FAILED_FINAL");
  assert.notEqual(failed.error, null);
}

export async function batchRequests({ admin }: Play): Promise<void> {
  const body = { items: [transfer(alice, "batch-1"), transfer(alice, "batch-2", "-1"), transfer(alice, "batch-1")] };
  const { items } = await admin.post("/api/v1/tx/batch", 200, body);
  assert.deepEqual(
    items.map((item: any) => item.status >= 300),
    [false, true, false],
  );
  assert.equal(items[0].transaction.txId, items[2].transaction.txId);
  assert.equal(items[1].problem.errors[0].field, "payload.value");
}

export async function pages({ admin }: Play): Promise<void> {
  const all = ["life", "deploy", "call", "revert", "batch-1"];
  for (const [order, wanted] of [["oldest", all], ["newest", [...all].reverse()]] as const) {
    const requests: string[] = [];
    let after = "";
    for (;;) {
      const page = await admin.get(`/api/v1/tx?submitter=${encodeURIComponent(alice)}&order=${order}&limit=2${after}`);
      assert.ok(page.items.length <= 2);
      requests.push(...page.items.map((item: any) => item.requestId));
      if (page.next === null) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    assert.deepEqual(requests, wanted);
  }
  const confirmed = await admin.get("/api/v1/tx?state=CONFIRMED");
  assert.ok(confirmed.items.length >= 3 && confirmed.items.every((item: any) => item.state === "CONFIRMED"));
}

export async function commandsInFlight({ admin, chain }: Play): Promise<void> {
  await chain.secondsPerBlock(0);
  const { txId } = await admin.post("/api/v1/tx", 202, transfer(bob, "slow"));
  await eventually(
    "it is in flight",
    60,
    async () => (await admin.get(`/api/v1/tx/${txId}`)).state === "TRACKING" || undefined,
  );
  assert.notEqual((await admin.get(`/api/v1/tx/${txId}/diagnosis`)).likely, null);
  const shown = await admin.get(`/api/v1/submitters/${encodeURIComponent(bob)}`);
  assert.deepEqual([shown.inFlightState, shown.inFlight], ["IN_FLIGHT", [{ txId, nonce: 0 }]]);
  const step = (kind: string) =>
    eventually(kind, 60, async () => {
      const history = await admin.get(`/api/v1/tx/${txId}/history`);
      return history.items.some((one: any) => one.kind === kind) || undefined;
    });
  await admin.post(`/api/v1/tx/${txId}/resubmit`, 202);
  await step("resubmitted");
  await admin.post(`/api/v1/tx/${txId}/speedup`, 202, {});
  await step("bumped");
  await admin.post(`/api/v1/tx/${txId}/cancel`, 202, { reason: "the customer called" });
  await step("filler");
  assert.ok((await admin.get(`/api/v1/tx/${txId}`)).cancelling);
  const signed = await admin.get(`/api/v1/tx/${txId}/attempts`);
  await chain.hasHeardOf(signed.items.at(-1).txHash); // otherwise the next block mines the replaced transaction
  await chain.secondsPerBlock(1);
  assert.equal((await admin.get(`/api/v1/tx/${txId}?wait=60s`)).state, "CANCELLED");
  const { items } = await admin.get(`/api/v1/tx/${txId}/attempts`);
  assert.deepEqual(
    items.map((one: any) => one.kind),
    ["original", "bump", "filler"],
  );
  assert.deepEqual(
    items.map((one: any) => one.replacedByHash),
    [items[1].txHash, items[2].txHash, null],
  );
}
