// What the sample client promises, on any chain and database.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Fencepost, FencepostError, isFinal } from "../../samples/typescript-client/fencepost.ts";
import type { Command } from "../../samples/typescript-client/types.ts";
import { eventually, run } from "./own_process.ts";
import { recipient } from "./play.ts";

/** The submitter must be new, because its transactions are counted. */
export async function clientWorkflow(client: Fencepost, submitter: string): Promise<void> {
  const order = { submitter, requestId: "order-1", payload: { to: recipient, value: 10n ** 18n } };
  const sent = await client.send(order);
  assert.equal((await client.send(order)).txId, sent.txId, "sent again, it is the same");
  assert.ok((await client.wait(sent.txId, "mined", 60)).receipt?.succeeded);
  const settled = await client.wait(sent.txId, "confirmed", 60);
  assert.ok(isFinal(settled));
  assert.equal(settled.state, "CONFIRMED");
  assert.equal((await client.get(sent.txId)).txHash, settled.txHash);
  assert.equal((await client.getByRequest(submitter, "order-1")).txId, settled.txId);

  const others = [2, 3, 4].map((n) => ({ ...order, requestId: `order-${n}` }));
  for (const other of others) await client.send(other);
  const listed: (string | null)[] = [];
  for await (const one of client.list({ submitter }, 2)) listed.push(one.requestId);
  assert.deepEqual(listed, ["order-1", "order-2", "order-3", "order-4"]);

  const refused = await client.cancel(sent.txId).catch((error: unknown) => error);
  assert.ok(refused instanceof FencepostError && refused.kind === "already-settled", String(refused));
  // Blocks are made all the time: a slow test may find this one settled, and then cancels another.
  let orders = 4;
  const doomed = await eventually("one is cancelled before it is settled", 60, async () => {
    const sent = await client.send({ ...order, requestId: `order-${++orders}` });
    const answer = await client.cancel(sent.txId, "changed my mind").catch((error: unknown) => error);
    if (answer instanceof FencepostError && answer.kind === "already-settled") return undefined;
    assert.equal((answer as Command).kind, "cancel", String(answer));
    return sent;
  });
  const verdict = await client.wait(doomed.txId, "confirmed", 60);
  assert.ok(["CANCELLED", "CONFIRMED"].includes(verdict.state), `${verdict.state}: whichever was mined first`);
}

export async function invalidRequests(client: Fencepost, submitter: string): Promise<void> {
  const wrong = { submitter, requestId: "wrong", payload: { to: recipient, value: "much" } };
  const error = await client.send(wrong).catch((caught: unknown) => caught);
  assert.ok(error instanceof FencepostError);
  assert.equal(error.kind, "invalid-request");
  assert.match(error.message, /payload\.value/);
}

export async function exampleProgram(url: string, env: Record<string, string> = {}): Promise<void> {
  const example = fileURLToPath(new URL("../../samples/typescript-client/example.js", import.meta.url));
  assert.match(await run([process.execPath, example, url], { env, seconds: 300 }), /the verdict: CONFIRMED/);
}
