// The checker of the conformance tests must detect errors, and its document must be valid.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiDocument, type Operation } from "./document.ts";
import { openApiFile } from "./places.ts";

const document = ApiDocument.load(openApiFile);
const operation = (method: string, target: string): Operation => {
  const found = document.operationOf(method, target);
  assert.ok(found, `${method} ${target}`);
  return found;
};
const headers = (fields: Record<string, string> = {}) => new Headers({ "content-type": "application/json", ...fields });
const example = () => structuredClone(document.text["components"].examples.MinedTransaction.value);
const txId: string = example().txId;

test("a path without parameters takes precedence", () => {
  assert.equal(operation("GET", "/api/v1/tx/by-request?submitter=x").id, "getTransactionByRequest");
  assert.equal(operation("GET", `/api/v1/tx/${txId}`).id, "getTransaction");
  assert.equal(document.operationOf("GET", `/api/v1/tx/${txId}/nothing`), undefined);
  assert.equal(document.operationOf("PUT", "/api/v1/tx"), undefined);
});

test("the transaction example fits, and fails with an extra field, a missing field or another type", () => {
  const get = operation("GET", `/api/v1/tx/${txId}`);
  const faults = (body: unknown) => document.faultsOfAnswer(get, { status: 200, headers: headers(), body });
  assert.deepEqual(faults(example()), []);
  assert.notDeepEqual(faults({ ...example(), colour: "red" }), []);
  assert.notDeepEqual(faults({ ...example(), receipt: { ...example().receipt, colour: "red" } }), []);
  const { state, ...less } = example();
  assert.equal(state, "TRACKING");
  assert.notDeepEqual(faults(less), []);
  assert.notDeepEqual(faults({ ...example(), blockNumber: "43" }), []);
  assert.notDeepEqual(faults({ ...example(), createdAt: "2026-11-16 13:21:04" }), []);
});

test("an answer with an undocumented status, content type or without a promised header is refused", () => {
  const get = operation("GET", `/api/v1/tx/${txId}`);
  const problem =
    document.text["components"].responses.RateLimited.content["application/problem+json"].examples["rate-limited"]
      .value;
  const typed = (fields = {}) => headers({ "content-type": "application/problem+json", ...fields });
  const faults = (status: number, fields: Headers) =>
    document.faultsOfAnswer(get, { status, headers: fields, body: problem });
  assert.deepEqual(faults(429, typed({ "retry-after": "1" })), []);
  assert.match(faults(429, typed()).join(), /Retry-After is missing/);
  assert.match(
    faults(429, headers({ "retry-after": "1" })).join(),
    /content type "application\/json" is not documented/,
  );
  assert.match(faults(418, typed()).join(), /status 418 is not documented/);
  assert.notDeepEqual(faults(503, typed({ "retry-after": "1" })), [], "the type of another status");
});

test("an invalid request is detected", () => {
  const post = operation("POST", "/api/v1/tx");
  const good = post.spec["requestBody"].content["application/json"].examples.call.value;
  const faults = (body: unknown) =>
    document.faultsOfRequest(post, { method: "POST", target: "/api/v1/tx", headers: {}, body });
  assert.deepEqual(faults(good), []);
  assert.notDeepEqual(faults(undefined), []);
  for (const wrong of [
    { value: 1.5 },
    { value: "1e18" },
    { value: "-1" },
    { nonce: 1 },
    { data: "0x" },
    { to: "0x12" },
    { fee: "free" },
  ]) {
    assert.notDeepEqual(faults({ ...good, payload: { ...good.payload, ...wrong } }), [], JSON.stringify(wrong));
  }
  const list = operation("GET", "/api/v1/tx");
  const faultsOf = (target: string) => document.faultsOfRequest(list, { method: "GET", target, headers: {} });
  assert.deepEqual(faultsOf("/api/v1/tx?limit=500&state=QUEUED"), []);
  for (const query of ["limit=501", "limit=x", "state=queued", "colour=red"])
    assert.notDeepEqual(faultsOf(`/api/v1/tx?${query}`), [], query);
});

test("every operation names its scope, and every problem that it may return exists", () => {
  const known: string[] = document.text["components"].schemas.Problem.properties.type.enum;
  for (const { path, spec, scope, method } of document.operations) {
    if (path.startsWith("/api/")) assert.ok(["read", "write", "admin"].includes(scope ?? ""), `${method} ${path}`);
    assert.match(Object.keys(spec["responses"])[0]!, /^2/, `${method} ${path} has a success first`);
  }
  for (const response of Object.values<any>(document.text["components"].responses)) {
    const types: string[] = response.content["application/problem+json"].schema.allOf[1].properties.type.enum;
    for (const type of types) assert.ok(known.includes(type), type);
  }
});
