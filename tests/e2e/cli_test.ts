// The command line against a real node, where the contract tests use a scripted one. Its chain makes a block only on
// request, so that a transaction stays in flight as long as a test needs.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CommandLine } from "./command_line.ts";
import { eventually } from "./own_process.ts";
import { alice, bob, carol, recipient, transfer } from "./play.ts";
import { startDemo } from "./service.ts";
import { Anvil, World } from "./world.ts";

const world = new World();
let chain: Anvil;
let cli: CommandLine;

before(async () => {
  const demo = await startDemo(world, "--samples", "0", "--block-time", "1h", "--confirmations", "2");
  const [, chainUrl] = await demo.process.says(/the URL (http:\/\/[^;]+);/);
  chain = new Anvil(chainUrl!);
  cli = new CommandLine(demo.url);
});
after(() => world.end());

/** Makes blocks continuously until the action is done. */
async function whileBlocksCome<T>(act: Promise<T>): Promise<T> {
  let isDone = false;
  const done = act.finally(() => (isDone = true));
  while (!isDone) {
    await chain.call("evm_mine");
    await Promise.race([done.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 200))]);
  }
  return await done;
}

const send = (from: string, requestId: string) =>
  ["tx", "send", "--from", from, "--to", recipient, "--value", "0.1 ether", "--request-id", requestId];

/** Sends a transaction, waits until it is in flight, and returns its id. */
async function inFlight(from: string, requestId: string): Promise<string> {
  const { txId } = await cli.answers(0, ...send(from, requestId));
  await eventually("it is in flight", 60, async () => {
    return (await cli.answers(0, "tx", "get", txId)).state === "TRACKING" || undefined;
  });
  return txId;
}

test("a transaction is found by its id and request id, and is accepted once", async () => {
  const told = await cli.tells(0, ...send(alice, "rent"));
  assert.match(told, /^state +(QUEUED|ALLOCATED|TRACKING)$/m);
  assert.match(told, /^value +0\.1 ether$/m);
  const txId = told.match(/^transaction +(\S+)$/m)![1]!;
  assert.equal((await cli.answers(0, ...send(alice, "rent"))).txId, txId);
  assert.equal((await cli.answers(0, "tx", "get", txId)).requestId, "rent");
  assert.match(await cli.tells(0, "tx", "get", "--submitter", alice, "--request-id", "rent"), new RegExp(txId));
});

test("waiting ends at the time-out, when mined, and when settled", async () => {
  const txId = await inFlight(alice, "wait");
  assert.match(await cli.tells(4, "tx", "wait", txId, "--timeout", "1s"), /It continues/);
  assert.equal((await cli.answers(4, "tx", "wait", txId, "--timeout", "1s")).txId, txId);
  const [mined] = await Promise.all([cli.tells(0, "tx", "wait", txId, "--until", "mined"), chain.call("evm_mine")]);
  assert.match(mined, /^outcome +succeeded$/m);
  assert.equal((await whileBlocksCome(cli.answers(0, "tx", "wait", txId))).state, "CONFIRMED");
  for (const what of ["history", "attempts", "confirmations"]) {
    assert.ok((await cli.answers(0, "tx", what, txId)).items.length > 0, what);
    assert.match(await cli.tells(0, "tx", what, txId), /accepted|original|settled: yes/);
  }
});

test("sending can wait for the verdict, including a failure", async () => {
  const good = cli.run([...send(alice, "patient"), "--wait", "confirmed", "--speed", "fast"]);
  const { code, out, err } = await whileBlocksCome(good);
  assert.equal(code, 0, err);
  assert.match(out, /^state +CONFIRMED$/m);
  // A contract of the built-in chain that reverts every call; a given gas limit skips the simulation.
  const refusing = `0xfe0ce0${"0".repeat(33)}2`;
  const failing = ["--to", refusing, "--data", "0x00", "--gas", "100000", "--wait", "confirmed"];
  const bad = await whileBlocksCome(cli.answers(3, "tx", "send", "--from", alice, ...failing));
  assert.equal(bad.state, "FAILED_FINAL");
});

test("lists show how to get the next page", async () => {
  const first = await cli.tells(0, "tx", "list", "--submitter", alice, "--limit", "2");
  const [, after] = first.match(/more items: use --after (\S+) or --all/)!;
  const rest = await cli.answers(0, "tx", "list", "--submitter", alice, "--after", after!);
  const all = await cli.answers(0, "tx", "list", "--submitter", alice, "--limit", "1", "--all");
  assert.equal(all.next, null);
  assert.deepEqual(
    all.items.slice(2).map((one: any) => one.txId),
    rest.items.map((one: any) => one.txId),
  );
  const failed = await cli.answers(0, "tx", "list", "--submitter", alice, "--state", "FAILED_FINAL");
  assert.equal(failed.items.length, 1);
});

test("an operator posts commands and sees their results", async () => {
  const txId = await inFlight(carol, "slow");
  assert.ok((await cli.answers(0, "tx", "diagnose", txId)).sentence.length > 10);
  assert.match(await cli.tells(0, "tx", "diagnose", txId), /^likely +\S/m);
  const isSigned = (kind: string) =>
    eventually(kind, 60, async () => {
      const { items } = await cli.answers(0, "tx", "attempts", txId);
      return items.find((one: any) => one.kind === kind);
    });
  assert.match(await cli.tells(0, "tx", "speedup", txId), /speedup of \S+ requested/);
  await isSigned("bump");
  assert.equal((await cli.answers(0, "tx", "cancel", txId, "--reason", "withdrawn")).kind, "cancel");
  await chain.hasHeardOf((await isSigned("filler")).txHash); // otherwise the next block mines the replaced transaction
  assert.match((await whileBlocksCome(cli.run(["tx", "wait", txId]))).out, /^state +CANCELLED$/m);
  assert.match(await cli.tells(1, "tx", "speedup", txId), /fencepost: /);
  assert.equal((await cli.answers(1, "tx", "cancel", txId)).type, "urn:fencepost:problem:already-settled");
});

test("a submitter is shown, paused and resumed", async () => {
  await cli.answers(0, ...send(bob, "before"));
  const becomes = (status: string) =>
    eventually(status, 60, async () => {
      return (await cli.answers(0, "submitter", "show", bob)).status === status || undefined;
    });
  assert.match(await cli.tells(0, "submitter", "pause", bob, "--reason", "key rotation"), /pause of \S+ requested/);
  await becomes("PAUSED");
  assert.match(await cli.tells(0, "submitter", "show", bob), /^reason +key rotation$/m);
  assert.match(await cli.tells(1, ...send(bob, "new")), /to do: resume the submitter \(fencepost submitter resume\)/);
  assert.equal((await cli.answers(0, "submitter", "resume", bob)).kind, "resume");
  await becomes("ACTIVE");
  assert.equal((await cli.answers(0, "submitter", "protect", bob)).kind, "protect");
  await becomes("PROTECT");
  assert.equal((await cli.answers(1, ...send(bob, "new"))).type, "urn:fencepost:problem:submitter-protected");
  assert.match(await cli.tells(0, "submitter", "unprotect", bob), /unprotect of \S+ requested/);
  await becomes("ACTIVE");
  assert.equal((await cli.answers(0, "submitter", "reconcile", bob)).kind, "reconcile");
  await cli.answers(0, ...send(bob, "new"));
});

test("submitters, chains and nodes are listed", async () => {
  const { items } = await cli.answers(0, "submitter", "list");
  const shown = await cli.tells(0, "submitter", "list");
  for (const submitter of [alice, bob, carol]) {
    assert.ok(items.some((one: any) => one.submitter === submitter) && shown.includes(submitter), submitter);
  }
  assert.match(await cli.tells(0, "submitter", "list", "--limit", "1"), /more items: use --after \S+ or --all/);
  const all = await cli.answers(0, "submitter", "list", "--limit", "1", "--all");
  assert.deepEqual([all.items.length, all.next], [items.length, null]);
  assert.match(await cli.tells(0, "chains"), /^demo +eip155:31337 /m);
  assert.equal((await cli.answers(0, "chains")).items[0].id, "eip155:31337");
  assert.match(await cli.tells(0, "cluster"), /\(this node\)/);
  assert.equal((await cli.answers(0, "cluster")).nodes.length, 1);
});

test("every item of a file gets its result", async () => {
  const items = [transfer(alice, "batch-1"), transfer(alice, "batch-2", "-1")];
  const file = join(world.folder, "batch.json");
  writeFileSync(file, JSON.stringify(items));
  const { items: fates } = await cli.answers(1, "tx", "send", "--file", file);
  assert.deepEqual(
    fates.map((fate: any) => fate.status),
    [202, 422],
  );
  const piped = await cli.run(["tx", "send", "--file", "-"], JSON.stringify({ items: items.slice(0, 1) }));
  assert.deepEqual([piped.code, piped.err], [0, ""]);
  assert.match(piped.out, new RegExp(`^0 +200 +${fates[0].transaction.txId} +batch-1`, "m"));
});

test("a file may exceed the server's batch limit", async () => {
  const data = "0x" + "00".repeat(2000);
  const items = Array.from({ length: 600 }, (_, n) => ({
    submitter: bob,
    requestId: `large-${n}`,
    payload: { to: recipient, data },
  }));
  const text = JSON.stringify(items);
  assert.ok(text.length > 2 * 1024 * 1024);
  const { code, out, err } = await cli.run(["tx", "send", "--file", "-", "--json"], text);
  assert.equal(code, 0, err);
  const taken = JSON.parse(out).items.map(({ transaction }: any) => transaction.requestId);
  assert.deepEqual(
    taken,
    items.map(({ requestId }) => requestId),
  );
});

test("invalid usage, missing objects and missing answers have their exit codes", async () => {
  assert.match(await cli.tells(2, "tx", "send", "--to", recipient), /--from is missing/);
  assert.match(await cli.tells(2, ...send(alice, "fee"), "--max-fee", "30gwei"), /needs --max-priority-fee/);
  const unknown = "019a8d1e-7c40-7b1f-9d55-3f6f1a2b4c5d";
  assert.match(await cli.tells(1, "tx", "get", unknown), /fencepost: /);
  for (const words of [["get"], ["wait"], ["diagnose"], ["cancel"], ["speedup"]]) {
    assert.equal((await cli.answers(1, "tx", ...words, unknown)).type, "urn:fencepost:problem:not-found");
  }
  assert.match(await cli.tells(5, "tx", "list", "--url", "http://127.0.0.1:1"), /cannot be reached/);
  const unsent = await cli.tells(5, ...send(alice, "unsent"), "--url", "http://127.0.0.1:1");
  assert.match(unsent, /cannot be reached/);
  assert.doesNotMatch(unsent, /may have been accepted/);
});
