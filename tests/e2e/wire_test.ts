// Hostile clients below HTTP, against the real program: header floods, half requests, pipelines, and slow clients. Each
// is refused or disconnected, valid requests are served meanwhile, and memory does not grow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Caller } from "./caller.ts";
import { ApiDocument } from "./document.ts";
import { type HostileWire, largeOnes, quickOnes } from "./hostile_wire.ts";
import { eventually } from "./own_process.ts";
import { openApiFile } from "./places.ts";
import { alice, transfer } from "./play.ts";
import { type Service, residentKiB, startServe } from "./service.ts";
import { Wire } from "./wire.ts";
import { Anvil, World } from "./world.ts";

/**
 * The server's time limits for clients, in seconds: low enough for a test to exceed them, and high enough that a busy
 * machine does not make an honest client too slow.
 */
const patience = 6;
/** A new connection each: a kept one may be closed as idle at the moment of its next use. */
const anew = { connection: "close" };
/** Per kind; all together stay below http.maxConnectionsPerPeer, which leaves room for valid ones. */
const crowd = 50;
/** Less than 1 KiB for each counted connection. */
const allowedKiB = 4 * 1024;
const world = new World();
let node: Service;
let caller: Caller;
let requests = 0;

before(async () => {
  const chain = await Anvil.start(world);
  const more = ["header", "body", "idle", "response"].map((what) => `http.${what}Timeout: ${patience}s`);
  node = await startServe(world, { databaseUrl: `${world.folder}/fencepost.db`, rpcUrl: chain.url, more });
  caller = new Caller(node.url, ApiDocument.load(openApiFile));
});
after(() => world.end());

/** Checks that this request had no effect. */
async function isUnheardOf(requestId: string): Promise<void> {
  const query = new URLSearchParams({ submitter: alice, requestId });
  await caller.call("GET", `/api/v1/tx/by-request?${query}`, 404, undefined, anew);
}

/** A valid request, which must be served before the time limits of the others end. */
async function isServedBeside(what: string): Promise<void> {
  const begun = Date.now();
  await caller.post("/api/v1/tx", 202, transfer(alice, `beside-${++requests}`), anew);
  assert.ok(Date.now() - begun < patience * 1000, `${Date.now() - begun} ms beside ${what}`);
}

async function isRefused({ name, bytes, statuses }: HostileWire): Promise<void> {
  const wire = await Wire.open(node.url);
  await wire.send(bytes);
  const status = await wire.firstStatus(30);
  assert.ok(statuses.includes(status), `${name}: ${status}`);
  assert.match(wire.received, /^content-type: application\/problem\+json\r$/im, name);
  wire.close();
}

const bytesOf = (body: object) => {
  const text = JSON.stringify(body);
  const type = "Content-Type: application/json";
  return `POST /api/v1/tx HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};

test("malformed requests are refused, and valid ones are still served", async () => {
  for (const hostile of [...quickOnes, ...largeOnes]) {
    await Promise.all([isRefused(hostile), isServedBeside(hostile.name)]);
  }
});

test("a truncated request has no effect", async () => {
  const whole = bytesOf(transfer(alice, "half"));
  const cut = async (length: number) => {
    const wire = await Wire.open(node.url);
    await wire.send(whole.slice(0, length));
    wire.close();
  };
  // In groups: all at once may exceed the limit of connections, for a busy node closes them late.
  const lengths = Array.from(whole, (_, length) => length);
  while (lengths.length > 0) {
    await Promise.all([...lengths.splice(0, 64).map(cut), isServedBeside("half requests")]);
  }
  await isUnheardOf("half");
});

test("a pipeline is answered in order, up to the first malformed request", async () => {
  const wire = await Wire.open(node.url);
  const wanted = Array.from({ length: 200 }, (_, n) => `pipelined-${n}`);
  const all = wanted.map((requestId) => bytesOf(transfer(alice, requestId))).join("");
  await wire.send(all + "nonsense\r\n\r\n" + bytesOf(transfer(alice, "after nonsense")));
  await isServedBeside("a pipeline");
  await wire.ends(60);
  assert.deepEqual(wire.statuses, [...wanted.map(() => 202), 400]);
  const answered = [...wire.received.matchAll(/"requestId":"(pipelined-\d+)"/g)].map(([, requestId]) => requestId);
  assert.deepEqual(answered, wanted);
  await isUnheardOf("after nonsense");
});

test("slow clients are disconnected and do not delay others", async () => {
  const slow: { bytes: string; statuses: number[] }[] = [
    { bytes: "", statuses: [] },
    { bytes: "POST /api/v1/tx HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", statuses: [408] },
    { bytes: bytesOf(transfer(alice, "slow")).slice(0, -1), statuses: [408] },
    { bytes: "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", statuses: [200] }, // and then sends nothing more
  ];
  const all: { wire: Wire; statuses: number[] }[] = [];
  for (const { bytes, statuses } of slow) {
    const wires = await Promise.all(Array.from({ length: crowd }, () => Wire.open(node.url)));
    await Promise.all(wires.map((wire) => wire.send(bytes)));
    all.push(...wires.map((wire) => ({ wire, statuses })));
  }
  await isServedBeside("the slow");
  for (const { wire, statuses } of all) {
    await wire.ends(5 * patience);
    assert.deepEqual(wire.statuses, statuses);
  }
});

test("a client that never reads is disconnected, too", async () => {
  const asked = 1000;
  const wires = await Promise.all(Array.from({ length: 20 }, () => Wire.open(node.url)));
  for (const wire of wires) {
    wire.stopReading();
    // Not awaited: it may not fit into the connection's buffers, because nothing is read.
    void wire.send("GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(asked));
  }
  await isServedBeside("those who do not read");
  await eventually("the server has closed them all", 60, async () => {
    return !wires.some((wire) => wire.isOpenThere) || undefined;
  });
  for (const wire of wires) {
    wire.readOn();
    await wire.ends(30);
    assert.ok(wire.statuses.length < asked, "it was closed before it had all its answers");
  }
});

test("memory does not grow after thousands of connections", async () => {
  const rounds = async (count: number, list: HostileWire[]) => {
    for (let round = 0; round < count; ++round) await Promise.all(list.map(isRefused));
  };
  const small = quickOnes.filter(({ bytes }) => bytes.length < 20_000);
  const large = [...quickOnes, ...largeOnes].filter((one) => !small.includes(one));
  await rounds(20, small);
  await rounds(1, large);
  const atRest = residentKiB(node);
  await rounds(300, small);
  await rounds(5, large);
  const later = residentKiB(node);
  assert.ok(later < atRest + allowedKiB, `${atRest} KiB, then ${later} KiB`);
});
