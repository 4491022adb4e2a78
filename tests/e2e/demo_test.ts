// What a new user has after "fencepost demo": a node with its own chain, used by the sample client, by curl as the guide
// shows, by a hundred concurrent callers, and by hostile clients.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Fencepost } from "../../samples/typescript-client/fencepost.ts";
import { Caller } from "./caller.ts";
import { clientWorkflow, invalidRequests, exampleProgram } from "./client_stories.ts";
import { ApiDocument } from "./document.ts";
import { runGuide, runSteps, stepsOf } from "./guide.ts";
import { hostileBodies, hostileTargets } from "./hostile.ts";
import { apiGuide, openApiFile, readme } from "./places.ts";
import { type Service, residentKiB, startDemo } from "./service.ts";
import { Anvil, World } from "./world.ts";

const world = new World();
const recipient = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
let demo: Service;
let client: Fencepost;
let caller: Caller;
let submitter: string;

before(async () => {
  demo = await startDemo(world, "--samples", "0", "--block-time", "200ms");
  client = new Fencepost(demo.url);
  caller = new Caller(demo.url, ApiDocument.load(openApiFile));
  submitter = "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
});
after(() => world.end());

test("the sample client sends, waits, finds, lists and cancels", () => clientWorkflow(client, submitter));
test("the sample client reports invalid requests", () => invalidRequests(client, submitter));
test("the example of the sample client ends with a verdict", () => exampleProgram(demo.url));

test("the commands of the guide print what the guide shows", async () => {
  await runGuide(readFileSync(apiGuide, "utf8"), demo.url, world.folder);
});

test("the lines of the README print what the README shows", async () => {
  await runSteps(stepsOf(readFileSync(readme, "utf8"), "skipped"), demo.url, join(world.folder, "readme"));
});

test("a hundred concurrent repetitions of a request make one transaction with one hash", async () => {
  const body = { submitter, requestId: "hundred", payload: { to: recipient, value: "1" } };
  const ask = () => caller.ask({ method: "POST", target: "/api/v1/tx", headers: {}, body });
  const answers = await Promise.all(Array.from({ length: 100 }, ask));
  assert.equal(new Set(answers.map((answer) => answer.body.txId)).size, 1);
  assert.equal(answers.filter((answer) => answer.status === 202).length, 1);
  assert.equal(answers.filter((answer) => answer.status === 200).length, 99);
  const { txId } = answers[0]!.body;
  const settled = await Promise.all(Array.from({ length: 100 }, () => caller.get(`/api/v1/tx/${txId}?wait=60s`)));
  assert.deepEqual([...new Set(settled.map((one) => one.state))], ["CONFIRMED"]);
  assert.equal(new Set(settled.map((one) => one.txHash)).size, 1);
  assert.equal((await caller.get(`/api/v1/tx/${txId}/attempts`)).items.length, 1);
  const listed = await caller.get(`/api/v1/tx?submitter=${encodeURIComponent(submitter)}&limit=500`);
  assert.equal(listed.items.filter((one: any) => one.requestId === "hundred").length, 1);
});

test("invalid fields are refused individually, and valid requests are still served", async () => {
  const hostile = hostileBodies(submitter);
  const ask = async (body: string | Blob) => {
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(`${demo.url}/api/v1/tx`, { method: "POST", headers, body, signal });
    return { status: response.status, problem: (await response.json()) as any };
  };
  const beside = (n: number) =>
    caller.post("/api/v1/tx", 202, { submitter, requestId: `beside-${n}`, payload: { to: recipient } });
  for (const [n, { name, body, status, type }] of hostile.entries()) {
    const [answer] = await Promise.all([ask(body), beside(n)]);
    assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.problem)}`);
    assert.equal(answer.problem.type, `urn:fencepost:problem:${type}`, name);
    assert.ok(answer.problem.detail.length > 10, `${name} gets a sentence`);
  }
  for (const [target, status] of hostileTargets) await caller.get(target, status);

  const small = hostile.filter(({ body }) => typeof body === "string" && body.length < 20_000);
  const rounds = async (count: number, list = small) => {
    for (let round = 0; round < count; ++round) await Promise.allSettled(list.map(({ body }) => ask(body)));
  };
  await rounds(5, hostile);
  const atRest = residentKiB(demo);
  await rounds(5, hostile);
  await rounds(200);
  const later = residentKiB(demo);
  assert.ok(later < atRest + 4 * 1024, `memory stays flat, after thousands of them: ${atRest} KiB, then ${later} KiB`);
});

test("on an external chain the samples settle, too", async () => {
  const elsewhere = new World();
  try {
    const chain = await Anvil.start(elsewhere);
    const { url, process } = await startDemo(elsewhere, "--rpc", chain.url, "--confirmations", "2");
    await process.says(/All transactions above were submitted through the API/, 180);
    for (const [sample, verdict] of [
      ["pay-1-1", "MINED → CONFIRMED"],
      ["token-1-3", "MINED → CONFIRMED"],
      ["revert-1-4", "MINED → FAILED_FINAL"],
      ["refused-1-5", "QUEUED → REJECTED"],
      ["cancel-1-6", "MINED → CANCELLED"],
    ]) {
      assert.match(process.output, new RegExp(`^ +[0-9.]+ s +${sample} +${verdict}`, "m"));
    }
    const { txHash } = await new Fencepost(url).getByRequest(submitter, "pay-1-1");
    assert.equal((await chain.call("eth_getTransactionReceipt", txHash)).status, "0x1", "that chain has it");
  } finally {
    await elsewhere.end();
  }
});

test("it stops cleanly and resumes after a restart", async () => {
  const before = await caller.get(
    "/api/v1/tx/by-request?submitter=" + encodeURIComponent(submitter) + "&requestId=order-1",
  );
  assert.equal(await demo.process.stop("SIGINT"), 0, demo.process.output);
  const again = await startDemo(world, "--samples", "0", "--block-time", "200ms");
  const after = await new Fencepost(again.url).getByRequest(submitter, "order-1");
  assert.deepEqual({ ...after, confirmations: 0 }, { ...before, confirmations: 0 });
});
