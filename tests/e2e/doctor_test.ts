// fencepost doctor on healthy and broken setups: it names each problem, says what to do, and exits with 1 exactly when
// something is broken.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { OwnProcess, run } from "./own_process.ts";
import { program } from "./places.ts";
import { alice } from "./play.ts";
import { type SoftHsm, makeSoftHsm } from "./soft_hsm.ts";
import { Anvil, Postgres, World, closedPort } from "./world.ts";

const world = new World();
let chain: Anvil;
let database: Postgres;
let hsm: SoftHsm;

before(async () => {
  chain = await Anvil.start(world);
  database = await Postgres.start(world);
  hsm = await makeSoftHsm(world);
  writeFileSync(join(world.folder, "pin"), hsm.pin, { mode: 0o600 });
});
after(() => world.end());

type Site = {
  databaseUrl: string;
  chainId: number;
  rpcUrl: string;
  webSocket: string;
  signer: string;
  submitter?: string;
};
type Finding = { subject: string; verdict: "good" | "doubtful" | "broken"; what: string; toDo?: string };

const onToken = (pinFile: string) =>
  `{kind: pkcs11, module: "${hsm.module}", token: "${hsm.token}", pinFile: "${join(world.folder, pinFile)}"}`;

const wellSite = (): Site => ({
  databaseUrl: database.url,
  chainId: 31337,
  rpcUrl: chain.url,
  webSocket: chain.url.replace("http:", "ws:"),
  signer: onToken("pin"),
});

/** Its output for a setup, as text and as JSON. */
async function examine(change: Partial<Site>): Promise<{ code: unknown; text: string; findings: Finding[] }> {
  const site = { ...wellSite(), ...change };
  const config = join(world.folder, "doctor.yaml");
  const lines = [
    "listen: 127.0.0.1:0",
    `database.url: "${site.databaseUrl}"`,
    "chains:",
    `  main: {id: ${site.chainId}, endpoints: {own: {url: "${site.rpcUrl}", webSocket: "${site.webSocket}"}}}`,
    `signers: {keys: ${site.signer}}`,
    ...(site.submitter === undefined ? [] : [`submitters: {treasury: {account: "${site.submitter}"}}`]),
  ];
  writeFileSync(config, lines.join("\n") + "\n");
  const doctor = async (...more: string[]) => {
    const process = new OwnProcess([program, "doctor", "--config", config, ...more], { env: hsm.env });
    return { code: await process.ends(60), text: process.output };
  };
  const { code, text } = await doctor();
  const { code: sameCode, text: json } = await doctor("--json");
  assert.equal(sameCode, code, json);
  const { ok, findings } = JSON.parse(json) as { ok: boolean; findings: Finding[] };
  assert.equal(ok, code === 0);
  for (const finding of findings) {
    assert.ok(text.includes(`${finding.subject}: `), `people are told of ${finding.subject}, too`);
    if (finding.verdict === "broken") assert.ok((finding.toDo ?? "").length > 5, `${finding.subject}: what to do?`);
  }
  return { code, text, findings };
}

const brokenOf = (findings: Finding[]) => findings.filter(({ verdict }) => verdict === "broken");

/** The only broken finding; the exit code was 1. */
async function onlyBroken(change: Partial<Site>): Promise<Finding> {
  const { code, text, findings } = await examine(change);
  assert.equal(code, 1, text);
  const broken = brokenOf(findings);
  assert.equal(broken.length, 1, text);
  return broken[0]!;
}

test("a schema without migrations is broken, and following the advice fixes it", async () => {
  const { subject, toDo } = await onlyBroken({});
  assert.equal(subject, "migrations");
  assert.match(toDo!, /run fencepost migrate with the same configuration/);
  await run([program, "migrate", "--database", database.url]);
  const { code, text, findings } = await examine({});
  assert.equal(code, 0, text);
  const verdicts = new Map(findings.map(({ subject, verdict }) => [subject, verdict]));
  for (const subject of ["database", "migrations", "database time", "chain main, endpoint own", "signer keys"]) {
    assert.equal(verdicts.get(subject), "good", `${subject}:\n${text}`);
  }
  assert.equal(verdicts.get("chain main, endpoint own, WebSocket"), "good", text);
});

test("a SQLite file needs no migration: serve applies pending migrations", async () => {
  const { code, text, findings } = await examine({ databaseUrl: join(world.folder, "doctor.db") });
  assert.equal(code, 0, text);
  const { verdict, what } = findings.find(({ subject }) => subject === "migrations")!;
  assert.equal(verdict, "good", text);
  assert.match(what, /^fencepost serve will apply \d+, the first is V1__init\.sql$/);
});

test("an unreachable database is named without its password", async () => {
  const databaseUrl = `postgresql://fencepost:s3cret@127.0.0.1:${closedPort}/fencepost`;
  const { subject, what, toDo } = await onlyBroken({ databaseUrl });
  assert.equal(subject, "database");
  assert.match(what, /refused/);
  assert.match(toDo!, /database\.url/);
  assert.ok(!(what + toDo).includes("s3cret"));
});

test("an endpoint of another chain and an unreachable one are broken", async () => {
  const foreign = await onlyBroken({ chainId: 1 });
  assert.equal(foreign.what, "it serves chain 31337, not 1");
  const absent = await onlyBroken({ rpcUrl: `http://127.0.0.1:${closedPort}` });
  assert.match(absent.subject, /endpoint own$/);
  assert.match(absent.what, /refused/i);
});

test("an unreachable WebSocket is doubtful, because blocks are polled as well", async () => {
  const { code, text, findings } = await examine({ webSocket: `ws://127.0.0.1:${closedPort}` });
  assert.equal(code, 0, text);
  assert.equal(findings.find(({ subject }) => subject.endsWith("WebSocket"))!.verdict, "doubtful", text);
});

test("a submitter without a key is broken where all keys are known", async () => {
  const { subject, toDo } = await onlyBroken({ submitter: alice });
  assert.equal(subject, "submitter treasury");
  assert.match(toDo!, /fencepost key import/);
});

test("unreachable keys are broken: an unreachable remote signer, a wrong PIN", async () => {
  const signer = `{kind: remote, url: "http://127.0.0.1:${closedPort}"}`;
  const remote = await onlyBroken({ signer, submitter: alice }); // whether it has a key is unknown
  assert.equal(remote.subject, "signer keys");
  assert.match(remote.what, /refused/i);
  assert.match(remote.toDo!, /signers\.keys/);
  writeFileSync(join(world.folder, "wrong-pin"), "00000000", { mode: 0o600 });
  const token = await onlyBroken({ signer: onToken("wrong-pin") });
  assert.match(token.what, /PIN/);
  assert.ok(!token.what.includes("00000000"));
});
