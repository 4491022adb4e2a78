// The API is what its document says. Every route is driven on the real program, with PostgreSQL and anvil, and every
// request and answer is held against docs/openapi.json; at the end no route may be left that nobody drove.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Caller } from "./caller.ts";
import { ApiDocument } from "./document.ts";
import { eventually } from "./own_process.ts";
import { openApiFile } from "./places.ts";
import { type Keys, makeKeys, startServe } from "./service.ts";
import { Anvil, World, startPostgres } from "./world.ts";

const document = ApiDocument.load(openApiFile);
const world = new World();
let chain: Anvil;
let admin: Caller;
let keys: Keys;

// Each of anvil's accounts plays in a story of its own, so that a stopped one stops no other.
const alice = "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const bob = "eip155:31337:0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const carol = "eip155:31337:0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const somebody = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const transfer = (submitter: string, requestId: string, value = "1") => ({
  submitter,
  requestId,
  payload: { to: somebody, value },
});

before(async () => {
  chain = await Anvil.start(world);
  const made = await makeKeys(world);
  keys = made.keys;
  const databaseUrl = await startPostgres(world);
  const { url } = await startServe(world, { databaseUrl, rpcUrl: chain.url, keysFile: made.file });
  admin = new Caller(url, document, keys.admin);
  await eventually("the node is ready", 30, async () => {
    const { status } = await admin.ask({ method: "GET", target: "/readyz", headers: {} });
    return status === 200 || undefined;
  });
});
after(() => world.end());

test("health, metrics and the document are open to everybody", async () => {
  const nobody = admin.as(undefined);
  await nobody.get("/livez");
  await nobody.get("/readyz");
  assert.match(await nobody.get("/metrics"), /^fencepost_/m);
  assert.deepEqual(await nobody.get("/openapi.json"), JSON.parse(readFileSync(openApiFile, "utf8")));
});

test("a transaction goes from accepted to confirmed, and what is asked about it is answered", async () => {
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

  const mined = await caller.get(`/api/v1/tx/${txId}?wait=30s&until=mined`);
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
  assert.equal((await caller.get(`/api/v1/tx/${txId}/diagnosis`)).likely, null);
  for (const act of ["cancel", "speedup", "resubmit"]) {
    const { type } = await caller.post(`/api/v1/tx/${txId}/${act}`, 409, { reason: "too late" });
    assert.equal(type, "urn:fencepost:problem:already-settled");
  }
});

test("a contract is deployed and called by its function, and a call that reverts is told so", async () => {
  // Answers every call with nothing, and reverts those that send money.
  const code = "0x600a600c600039600a6000f3" + "34600557005b600080fd";
  const deployed = await admin.post("/api/v1/tx", 202, {
    submitter: alice,
    requestId: "deploy",
    payload: { data: code, fee: "fast" },
  });
  const { receipt } = await admin.get(`/api/v1/tx/${deployed.txId}?wait=60s`);
  const to = receipt.contractAddress;
  const call = { to, abi: "transfer(address,uint256)", args: [somebody, "1"] };
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
});

test("many at once are answered one by one, in order", async () => {
  const body = { items: [transfer(alice, "batch-1"), transfer(alice, "batch-2", "-1"), transfer(alice, "batch-1")] };
  const { items } = await admin.post("/api/v1/tx/batch", 200, body);
  assert.deepEqual(
    items.map((item: any) => item.status >= 300),
    [false, true, false],
  );
  assert.equal(items[0].transaction.txId, items[2].transaction.txId);
  assert.equal(items[1].problem.errors[0].field, "payload.value");
});

test("lists are read page by page", async () => {
  const requests: string[] = [];
  let after = "";
  for (;;) {
    const page = await admin.get(`/api/v1/tx?submitter=${encodeURIComponent(alice)}&limit=2${after}`);
    assert.ok(page.items.length <= 2);
    requests.push(...page.items.map((item: any) => item.requestId));
    if (page.next === null) break;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
  assert.deepEqual(requests, ["life", "deploy", "call", "revert", "batch-1"]);
  const confirmed = await admin.get("/api/v1/tx?state=CONFIRMED");
  assert.ok(confirmed.items.length >= 3 && confirmed.items.every((item: any) => item.state === "CONFIRMED"));
});

test("what is in flight can be explained, made dearer, sent again and cancelled", async () => {
  await chain.secondsPerBlock(0);
  const { txId } = await admin.post("/api/v1/tx", 202, transfer(bob, "slow"));
  await eventually(
    "it is in flight",
    20,
    async () => (await admin.get(`/api/v1/tx/${txId}`)).state === "TRACKING" || undefined,
  );
  assert.notEqual((await admin.get(`/api/v1/tx/${txId}/diagnosis`)).likely, null);
  const shown = await admin.get(`/api/v1/submitters/${encodeURIComponent(bob)}`);
  assert.deepEqual([shown.inFlightState, shown.inFlight], ["IN_FLIGHT", [{ txId, nonce: 0 }]]);
  const step = (kind: string) =>
    eventually(kind, 20, async () => {
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
  await chain.secondsPerBlock(1);
  assert.equal((await admin.get(`/api/v1/tx/${txId}?wait=60s`)).state, "CANCELLED");
  const { items } = await admin.get(`/api/v1/tx/${txId}/attempts`);
  assert.deepEqual(
    items.map((one: any) => one.kind),
    ["original", "bump", "filler"],
  );
});

test("a submitter is paused and resumed, protected, compared with the chain and let go again", async () => {
  const at = `/api/v1/submitters/${encodeURIComponent(bob)}`;
  const becomes = (status: string) =>
    eventually(status, 20, async () => (await admin.get(at)).status === status || undefined);
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
});

test("what lost its nonce to somebody else is queued again by a person", async () => {
  await chain.secondsPerBlock(0);
  const { txId } = await admin.post("/api/v1/tx", 202, transfer(carol, "robbed"));
  const sent = await eventually("it is in flight", 20, async () => {
    const seen = await admin.get(`/api/v1/tx/${txId}`);
    return seen.state === "TRACKING" ? seen : undefined;
  });
  await chain.call("anvil_dropTransaction", sent.txHash);
  await chain.call("eth_sendTransaction", { from: carol.split(":")[2], to: somebody, value: "0x2", nonce: "0x0" });
  await chain.secondsPerBlock(1);
  await eventually("its nonce is taken", 60, async () => {
    const seen = await admin.get(`/api/v1/tx/${txId}`);
    return seen.subState === "NONCE_TAKEN" || seen.state === "FAILED_FINAL" || undefined;
  });
  await admin.post(`/api/v1/submitters/${encodeURIComponent(carol)}/unprotect`, 202, { reason: "it was me" });
  await admin.post(`/api/v1/tx/${txId}/requeue`, 202, { reason: "it should still run" });
  const again = await eventually("it was queued again", 60, async () => {
    const { requeuedAs } = await admin.get(`/api/v1/tx/${txId}`);
    return requeuedAs ?? undefined;
  });
  const settled = await admin.get(`/api/v1/tx/${again}?wait=60s`);
  assert.deepEqual([settled.state, settled.requeuedFrom], ["CONFIRMED", txId]);
});

test("submitters, chains and nodes are shown", async () => {
  const { items } = await admin.get("/api/v1/submitters");
  assert.deepEqual(items.map((one: any) => one.submitter).sort(), [alice, bob, carol].sort());
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
});

test("nobody gets in without a key, and no key further than its scope", async () => {
  const scopes = ["read", "write", "admin"] as const;
  for (const { method, path, scope } of document.operations.filter((one) => one.scope !== undefined)) {
    const target = path
      .replace("{txId}", "019a8d1e-7c40-7b1f-9d55-3f6f1a2b4c5d")
      .replace("{submitter}", encodeURIComponent(alice));
    await admin.as(undefined).call(method, target, 401);
    await admin.as("fp_wrong").call(method, target, 401);
    const lower = scopes.slice(0, scopes.indexOf(scope as "read"));
    for (const low of lower) await admin.as(keys[low]).call(method, target, 403);
  }
});

test("every route of the document was driven, and answered well", () => {
  const missing = document.operations.filter(
    ({ id }) => ![...(admin.seen.get(id) ?? [])].some((status) => status < 300),
  );
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});
