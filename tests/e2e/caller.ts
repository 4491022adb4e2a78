// Calls the API and checks every call against its document: the response must always fit it, and a request that does not
// fit must be refused. Counts the calls, so that a test can list the routes that were never called.
import assert from "node:assert/strict";
import type { ApiDocument, Request } from "./document.ts";

export type Called = { status: number; headers: Headers; body: any };

// A batch is answered with 200 even if some of its items were refused.
function isTaken({ status, body }: Called): boolean {
  return status < 300 && !(body.items ?? []).some((item: any) => item.problem);
}

export class Caller {
  readonly #url: string;
  readonly #document: ApiDocument;
  readonly #key: string | undefined;
  /** The statuses that each operation returned. */
  readonly seen: Map<string, Set<number>>;

  constructor(url: string, document: ApiDocument, key?: string, seen = new Map<string, Set<number>>()) {
    this.#url = url;
    this.#document = document;
    this.#key = key;
    this.seen = seen;
  }

  /** The same with another key and a shared count; without a key, unauthenticated. */
  as(key: string | undefined): Caller {
    return new Caller(this.#url, this.#document, key, this.seen);
  }

  get(target: string, status = 200): Promise<any> {
    return this.call("GET", target, status);
  }
  post(target: string, status: number, body?: unknown, headers: Record<string, string> = {}): Promise<any> {
    return this.call("POST", target, status, body, headers);
  }

  /** The body of the response, which must have this status. */
  async call(method: string, target: string, status: number, body?: unknown, headers = {}): Promise<any> {
    const answer = await this.ask({ method, target, headers, body });
    assert.equal(answer.status, status, `${method} ${target}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async ask(request: Request): Promise<Called> {
    const { method, target } = request;
    const operation = this.#document.operationOf(method, target);
    assert.ok(operation, `${method} ${target} is not in the document`);
    const answer = await this.#fetch(request);
    const told = `${method} ${target} with ${JSON.stringify(request.body)?.slice(0, 500)}`;
    const got = `${told}: ${answer.status} ${JSON.stringify(answer.body)}`;
    assert.deepEqual(this.#document.faultsOfAnswer(operation, answer), [], got);
    if (isTaken(answer)) {
      const faults = this.#document.faultsOfRequest(operation, request);
      assert.deepEqual(faults, [], `${told} was taken, but does not fit the document`);
    }
    this.seen.set(operation.id, (this.seen.get(operation.id) ?? new Set()).add(answer.status));
    return answer;
  }

  async #fetch({ method, target, headers, body }: Request): Promise<Called> {
    const response = await fetch(this.#url + target, {
      method,
      headers: {
        ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(90_000),
    });
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}
