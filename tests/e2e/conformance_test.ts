// The API matches its document. Every route is called on the real program, with PostgreSQL and anvil, and every request
// and response is checked against docs/reference/openapi.json; at the end every route must have been called.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Caller } from "./caller.ts";
import { ApiDocument } from "./document.ts";
import { requeueAfterNonceLoss, shown, stops } from "./operator_stories.ts";
import { eventually } from "./own_process.ts";
import { openApiFile } from "./places.ts";
import { type Play, alice } from "./play.ts";
import { type Service, makeKeys, startServe } from "./service.ts";
import { commandsInFlight, contracts, batchRequests, pages, fullLifecycle } from "./transaction_stories.ts";
import { Anvil, Postgres, World } from "./world.ts";

const document = ApiDocument.load(openApiFile);
const world = new World();
let node: Service;
let play: Play;

before(async () => {
  const chain = await Anvil.start(world);
  const { keys, file: keysFile } = await makeKeys(world);
  const { url: databaseUrl } = await Postgres.start(world);
  node = await startServe(world, { databaseUrl, rpcUrl: chain.url, keysFile });
  const { url } = node;
  play = { chain, keys, admin: new Caller(url, document, keys.admin) };
  await eventually("the node is ready", 30, async () => {
    const { status } = await play.admin.ask({ method: "GET", target: "/readyz", headers: {} });
    return status === 200 || undefined;
  });
});
after(() => world.end());

test("health and the document need no key, and metrics need the read scope", async () => {
  const anonymous = play.admin.as(undefined);
  await anonymous.get("/livez");
  await anonymous.get("/readyz");
  await anonymous.get("/metrics", 401);
  assert.match(await play.admin.as(play.keys.read).get("/metrics"), /^fencepost_/m);
  assert.deepEqual(await anonymous.get("/openapi.json"), JSON.parse(readFileSync(openApiFile, "utf8")));
});

test("a transaction goes from accepted to confirmed, and can be queried at each step", () => fullLifecycle(play));
test("a contract is deployed and called, and a reverted call is reported", () => contracts(play));
test("batch items are answered individually and in order", () => batchRequests(play));
test("lists are read page by page", () => pages(play));
test("a transaction in flight can be diagnosed, sped up, resubmitted and cancelled", () => commandsInFlight(play));
test("a submitter is paused, resumed, protected, reconciled and unprotected", () => stops(play));
test("a transaction that lost its nonce to an external one is requeued by an operator", () => requeueAfterNonceLoss(play));
test("submitters, chains and nodes are shown", () => shown(play));

test("every request needs a key, and no key exceeds its scope", async () => {
  const { admin, keys } = play;
  const scopes = ["read", "write", "admin"] as const;
  let intruders = 0;
  for (const { method, path, scope } of document.operations.filter((one) => one.scope !== undefined)) {
    const target = path
      .replace("{txId}", "019a8d1e-7c40-7b1f-9d55-3f6f1a2b4c5d")
      .replace("{submitter}", encodeURIComponent(alice));
    const intruder = admin.as(intruders++ % 2 === 0 ? undefined : "fp_wrong");
    await eventually("a refusal", 30, async () => {
      const { status } = await intruder.ask({ method, target, headers: {} });
      assert.ok([401, 429].includes(status), `${method} ${target}: ${status}`);
      return status === 401 || undefined; // too many attempts are rate-limited first
    });
    const lower = scopes.slice(0, scopes.indexOf(scope as (typeof scopes)[number]));
    for (const low of lower) await admin.as(keys[low]).call(method, target, 403);
  }
});

test("every route of the document was called and succeeded", () => {
  const wentWell = (id: string) => [...(play.admin.seen.get(id) ?? [])].some((status) => status < 300);
  const missing = document.operations.filter(({ id }) => !wentWell(id)).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(missing, []);
});

test("a stop signal ends it cleanly", async () => {
  assert.equal(await node.process.stop(), 0, node.process.output);
});
