// A small Fencepost client over fetch, to copy and adapt: send, wait, get, list, cancel. It shows the one rule that
// matters when sending money: retry a request whose answer was lost with the same requestId. That is safe, because
// Fencepost returns the transaction that it created the first time.
import type { Command, NewTransaction, Page, Problem, State, Transaction } from "./types.ts";

/** Fencepost refused the request. */
export class FencepostError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    const fields = (problem.errors ?? []).map((error) => `; ${error.field}: ${error.detail}`);
    super(problem.detail + fields.join(""));
    this.name = "FencepostError";
    this.problem = problem;
  }
  /** The last part of the problem's type, for example "submitter-paused". */
  get kind(): string {
    return this.problem.type.slice(this.problem.type.lastIndexOf(":") + 1);
  }
}

export type ClientOptions = {
  apiKey?: string;
  /** Maximum number of attempts when there is no answer, or a temporary error. */
  tries?: number;
  /** Maximum time for an answer, in milliseconds, in addition to the requested wait. */
  timeout?: number;
};

const final: readonly State[] = ["CONFIRMED", "FAILED_FINAL", "CANCELLED", "REJECTED"];
export const isFinal = (transaction: Transaction): boolean => final.includes(transaction.state);

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// JSON has no bigint, and a number would lose digits.
const toJson = (body: unknown) =>
  JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? value.toString() : value));

export class Fencepost {
  readonly #url: string;
  readonly #options: Required<Omit<ClientOptions, "apiKey">>;
  readonly #headers: Record<string, string>;

  constructor(url = "http://127.0.0.1:8646", options: ClientOptions = {}) {
    this.#url = url.replace(/\/$/, "");
    this.#options = { tries: options.tries ?? 5, timeout: options.timeout ?? 10_000 };
    this.#headers = options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` };
  }

  /** Submits a transaction. Repeating it returns the same transaction, so it is safe to call until it succeeds. */
  send(transaction: NewTransaction): Promise<Transaction> {
    return this.#call("POST", "/api/v1/tx", { body: transaction });
  }

  get(txId: string): Promise<Transaction> {
    return this.#call("GET", `/api/v1/tx/${encodeURIComponent(txId)}`);
  }

  getByRequest(submitter: string, requestId: string): Promise<Transaction> {
    return this.#call("GET", `/api/v1/tx/by-request?${new URLSearchParams({ submitter, requestId })}`);
  }

  /** Waits until it is mined or settled, at most `seconds`, and returns its state. */
  async wait(txId: string, until: "mined" | "confirmed" = "confirmed", seconds = 300): Promise<Transaction> {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const left = Math.max(0, Math.min(30, Math.ceil((end - Date.now()) / 1000)));
      const path = `/api/v1/tx/${encodeURIComponent(txId)}?wait=${left}s&until=${until}`;
      const transaction = await this.#call<Transaction>("GET", path, { patience: left * 1000 });
      const reached = isFinal(transaction) || (until === "mined" && transaction.receipt !== null);
      if (reached || Date.now() >= end) return transaction;
    }
  }

  /** All transactions, page by page. */
  async *list(filter: { submitter?: string; state?: State } = {}, pageSize = 100): AsyncGenerator<Transaction> {
    let after: string | null = null;
    do {
      const query: Record<string, string> = { ...filter, limit: String(pageSize) };
      if (after !== null) query["after"] = after;
      const page: Page<Transaction> = await this.#call("GET", `/api/v1/tx?${new URLSearchParams(query)}`);
      yield* page.items;
      after = page.next;
    } while (after !== null);
  }

  /** Requests cancellation. It may be too late for that: wait for the verdict. */
  cancel(txId: string, reason?: string): Promise<Command> {
    return this.#call("POST", `/api/v1/tx/${encodeURIComponent(txId)}/cancel`, { body: { reason } });
  }

  async #call<Answer>(method: string, path: string, more: { body?: unknown; patience?: number } = {}): Promise<Answer> {
    for (let attempt = 1; ; ++attempt) {
      const last = attempt >= this.#options.tries;
      try {
        const response = await fetch(this.#url + path, {
          method,
          headers: {
            ...this.#headers,
            ...(more.body === undefined ? {} : { "content-type": "application/json" }),
          },
          body: more.body === undefined ? null : toJson(more.body),
          signal: AbortSignal.timeout(this.#options.timeout + (more.patience ?? 0)),
        });
        const answer = await response.json();
        if (response.ok) return answer as Answer;
        if (last || (response.status !== 429 && response.status !== 503)) throw new FencepostError(answer as Problem);
        await pause(1000 * Number(response.headers.get("retry-after") ?? "1"));
      } catch (error) {
        // The outcome is unknown. Retrying is safe; for a transaction, because of its requestId.
        if (last || error instanceof FencepostError) throw error;
        await pause(100 * 2 ** attempt);
      }
    }
  }
}
