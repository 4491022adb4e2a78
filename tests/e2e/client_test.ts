// The sample client on failures. A scripted server gives responses that the real one gives too rarely.
import assert from "node:assert/strict";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Fencepost, FencepostError } from "../../samples/typescript-client/fencepost.ts";
import { ApiDocument } from "./document.ts";
import { openApiFile } from "./places.ts";

type Script = ((request: IncomingMessage, response: ServerResponse) => void)[];

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  return (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};
const hangUp = (request: IncomingMessage) => void request.socket.destroy();

const { examples, responses } = ApiDocument.load(openApiFile).text["components"];
const queued = examples.QueuedTransaction.value;
const problem = (of: string, type: string) => responses[of].content["application/problem+json"].examples[type].value;
const order = { submitter: queued.submitter, requestId: "order-17", payload: { to: "0x1", value: 10n ** 24n } };

/** Runs the action with a client of a server that gives these responses in turn; returns the received requests. */
async function playing(script: Script, act: (client: Fencepost) => Promise<void>): Promise<string[]> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part));
    request.on("end", () => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      (script.shift() ?? answer(500, {}))(request, response);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    await act(
      // Long enough that a slow machine does not cause another retry; a closed connection is noticed at once.
      new Fencepost(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { tries: 4, timeout: 60_000 }),
    );
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return bodies;
}

test("a request without an answer, or with a temporary error, is retried unchanged", async () => {
  const later = answer(503, problem("Unavailable", "overloaded"), { "retry-after": "0" });
  const got = await playing([hangUp, later, answer(202, queued)], async (client) => {
    assert.equal((await client.send(order)).txId, queued.txId);
  });
  assert.equal(got.length, 3);
  assert.equal(new Set(got).size, 1);
  assert.match(got[0]!, /"value":"1000000000000000000000000"/);
});

test("a refused request is not retried", async () => {
  const got = await playing([answer(409, problem("SubmitterStopped", "submitter-paused"))], async (client) => {
    const error = await client.send(order).catch((caught: unknown) => caught);
    assert.ok(error instanceof FencepostError && error.kind === "submitter-paused");
  });
  assert.equal(got.length, 1);
});

test("a server that never answers causes a time-out", async () => {
  const got = await playing([hangUp, hangUp, hangUp, hangUp], async (client) => {
    await assert.rejects(client.send(order));
  });
  assert.equal(got.length, 4);
});

test("waiting continues until the verdict", async () => {
  const settled = { ...queued, state: "CONFIRMED" };
  const got = await playing([answer(200, queued), answer(200, queued), answer(200, settled)], async (client) => {
    assert.equal((await client.wait(queued.txId)).state, "CONFIRMED");
  });
  assert.match(got[0]!, /wait=30s&until=confirmed/);
  assert.equal(got.length, 3);
});
