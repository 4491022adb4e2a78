// A node beyond its limits: it refuses at once and says when to retry, and a retry is served. Nothing that it has
// accepted is lost or executed twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Called, Caller } from "./caller.ts";
import { ApiDocument } from "./document.ts";
import { eventually, run } from "./own_process.ts";
import { openApiFile, program } from "./places.ts";
import { alice, bob, carol, transfer } from "./play.ts";
import { makeKeys, startServe } from "./service.ts";
import { Anvil, Postgres, World } from "./world.ts";

/** Low limits, so that a test can exceed them. */
const maxWaiting = 10;
const world = new World();
let chain: Anvil;
let database: Postgres;
let caller: Caller;
let hurried: string;

before(async () => {
  chain = await Anvil.start(world);
  database = await Postgres.start(world);
  const { keys, file } = await makeKeys(world);
  const slow = ["--keys", file, "--name", "slow", "--scope", "read", "--rate", "2", "--burst", "3"];
  hurried = (await run([program, "apikey", "new", ...slow])).match(/fp_[\w-]+/)![0];
  const more = [`api.maxWaiting: ${maxWaiting}`, "ability.leastHeadAge: 3s", "ability.loseAfter: 2s"];
  const { url } = await startServe(world, { databaseUrl: database.url, rpcUrl: chain.url, keysFile: file, more });
  caller = new Caller(url, ApiDocument.load(openApiFile), keys.write);
  await isReady();
});
after(() => world.end());

const ask = (target: string, by = caller): Promise<Called> => by.ask({ method: "GET", target, headers: {} });
const send = (submitter: string, requestId: string): Promise<Called> =>
  caller.ask({ method: "POST", target: "/api/v1/tx", headers: {}, body: transfer(submitter, requestId) });
const isReady = () =>
  eventually("the node is ready", 60, async () => (await ask("/readyz")).status === 200 || undefined);
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

/** The response, which must come within this many seconds; generous, because this machine may be busy. */
async function within<T>(limit: number, answer: Promise<T>): Promise<T> {
  const begun = Date.now();
  const got = await answer;
  assert.ok(Date.now() - begun < limit * 1000, `${(Date.now() - begun) / 1000} s are not within ${limit} s`);
  return got;
}

function isRefusedForNow({ status, headers, body }: Called, type: string): void {
  assert.equal(status, type === "rate-limited" ? 429 : 503, JSON.stringify(body));
  assert.equal(body.type, `urn:fencepost:problem:${type}`);
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert.ok(Number(headers.get("retry-after")) >= 1, "it says when to come again");
}

/** Detecting that the database is back may take a moment. */
const isTaken = (submitter: string, requestId: string): Promise<Called["body"]> =>
  eventually(`${requestId} is taken`, 60, async () => {
    const answer = await send(submitter, requestId);
    return answer.status < 300 ? answer.body : undefined;
  });

/** Retries each until it is accepted; then each is confirmed, once. */
async function allGetDone(submitter: string, requests: string[]): Promise<void> {
  const ids = new Set<string>();
  for (const request of requests) ids.add((await isTaken(submitter, request)).txId);
  for (const id of ids) assert.equal((await caller.get(`/api/v1/tx/${id}?wait=60s`)).state, "CONFIRMED");
  const account = submitter.split(":")[2]!;
  assert.equal(Number(await chain.call("eth_getTransactionCount", account, "latest")), requests.length);
}

test("a rate-limited key is served again after Retry-After", async () => {
  const slow = caller.as(hurried);
  assert.equal((await ask("/api/v1/chains", slow)).status, 200);
  // All at once, and once more if the machine was too slow to exceed the limit.
  const refused = await eventually("it asks too often", 30, async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask("/api/v1/chains", slow)));
    return answers.find(({ status }) => status !== 200);
  });
  isRefusedForNow(refused, "rate-limited");
  assert.equal((await ask("/api/v1/chains")).status, 200, "another key is not held up");
  await seconds(Number(refused.headers.get("retry-after")));
  assert.equal((await ask("/api/v1/chains", slow)).status, 200);
});

test("a hanging database is reported quickly, and requests sent meanwhile are executed once", async () => {
  assert.equal((await send(alice, "before")).status, 202);
  database.freeze();
  const first = await within(15, send(alice, "hangs"));
  isRefusedForNow(first, "store-unavailable");
  // Sooner than the 5 s time-out of the first one.
  for (const request of ["at once", "at once, too"]) {
    isRefusedForNow(await within(4.5, send(alice, request)), "store-unavailable");
  }
  const health = await within(10, ask("/readyz"));
  assert.equal(health.status, 503);
  assert.equal(health.body.checks.find((check: any) => check.name === "database").ok, false);
  assert.equal((await within(4.5, ask("/livez"))).status, 200);
  database.thaw();
  await isReady();
  await allGetDone(alice, ["before", "hangs", "at once", "at once, too"]);
});

test("an unreachable database is reported quickly, and used again when it is back", async () => {
  await isTaken(bob, "before");
  await database.stop();
  isRefusedForNow(await within(15, send(bob, "away")), "store-unavailable");
  assert.equal((await within(10, ask("/readyz"))).status, 503);
  await database.start();
  await isReady();
  await allGetDone(bob, ["before", "away"]);
});

test("when the accept queue is full, more requests are refused at once, and queued ones are served", async () => {
  await isTaken(alice, "before");
  database.freeze();
  // This many wait, and at most as many again are being written: the rest is refused while the database hangs.
  let away = 0;
  const crowd = Array.from({ length: 3 * maxWaiting }, async (_, i) => {
    const answer = await send(carol, `crowd-${i}`);
    ++away;
    return answer;
  });
  await eventually("those who are too many are sent away", 30, async () => away >= maxWaiting || undefined);
  database.thaw();
  const answers = await Promise.all(crowd);
  const taken = answers.filter(({ status }) => status === 202).length;
  for (const answer of answers.filter(({ status }) => status !== 202)) isRefusedForNow(answer, "overloaded");
  assert.ok(taken >= maxWaiting && taken < 2 * maxWaiting + 1, `${taken} were taken`);
  await allGetDone(carol, Array.from({ length: crowd.length }, (_, i) => `crowd-${i}`));
});

/** Not ready because of this check only; then ready again. */
async function isIllUntil(check: string, cure: () => Promise<unknown>): Promise<void> {
  // A check without an answer within 2 s fails as well, which may happen on a busy machine.
  await eventually(`${check} is found ill, and nothing else`, 60, async () => {
    const { status, body } = await ask("/readyz");
    const names = body.checks.filter((one: any) => !one.ok).map((one: any) => one.name);
    assert.equal(status, names.length === 0 ? 200 : 503);
    return (names.length === 1 && names[0] === check) || undefined;
  });
  await cure();
  await isReady();
}

test("a node with a stalled chain is ready to accept, and reports that its lanes cannot work", async () => {
  await isReady();
  await chain.secondsPerBlock(0);
  const ill = await eventually("the chain is found standing still", 60, async () => {
    const { status, body } = await ask("/readyz");
    return body.ability.chains.some((one: any) => !one.able) ? { status, body } : undefined;
  });
  // On a busy machine the database may also be slow for a moment.
  assert.equal(ill.status, ill.body.checks.every((check: any) => check.ok) ? 200 : 503, JSON.stringify(ill.body));
  assert.equal(ill.body.ability.chains[0].cause, "no_head");
  await isReady();
  const accepted = await send(bob, "while no block is made");
  assert.equal(accepted.status, 202);
  await chain.secondsPerBlock(1);
  assert.equal((await caller.get(`/api/v1/tx/${accepted.body.txId}?wait=60s`)).state, "CONFIRMED");
});

test("a node is not ready while its database refuses connections or has another schema version", async () => {
  await isReady();
  await database.does("ALTER TABLE node RENAME TO elsewhere");
  await isIllUntil("database", () => database.does("ALTER TABLE elsewhere RENAME TO node"));
  await database.does("UPDATE schema_migration SET version = 1000 WHERE version = 1");
  await isIllUntil("migrations", () => database.does("UPDATE schema_migration SET version = 1 WHERE version = 1000"));
});
