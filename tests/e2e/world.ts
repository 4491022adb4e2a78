// What a test runs Fencepost on: a folder, a chain, a database. All of it is private, on loopback, and removed at the end.
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnProcess, type StartOptions, eventually, run } from "./own_process.ts";
import { anvil, postgresBin } from "./places.ts";

/** Tracks what was started and stops it in reverse order. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), "fencepost-e2e-"));
  readonly #ends: (() => unknown)[] = [() => rmSync(this.folder, { recursive: true, force: true })];

  atEnd(act: () => unknown): void {
    this.#ends.push(act);
  }
  keep(process: OwnProcess, signal: NodeJS.Signals = "SIGTERM"): OwnProcess {
    this.atEnd(() => process.stop(signal));
    return process;
  }

  async end(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }
}

/** A port without a listener: only root could bind it, so no other program takes it by chance. */
export const closedPort = 1;

export class Anvil {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  /** Makes a block every second, so that confirmations grow. It chooses its own port, because a probed one may be taken. */
  static async start(world: World): Promise<Anvil> {
    const process = world.keep(new OwnProcess([anvil, "--host", "127.0.0.1", "--port", "0", "--block-time", "1"]));
    const [, address] = await process.says(/Listening on (127\.0\.0\.1:\d+)/);
    const chain = new Anvil(`http://${address}`);
    await eventually("anvil answers", 60, () => chain.call("eth_chainId").catch(() => undefined));
    return chain;
  }

  async call(method: string, ...params: unknown[]): Promise<any> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const signal = AbortSignal.timeout(30_000);
    const answer = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal,
    });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Waits until the chain has the transaction: a signed attempt may not have been sent yet. */
  async hasHeardOf(txHash: string): Promise<void> {
    await eventually(`the chain has heard of ${txHash}`, 60, async () => {
      return (await this.call("eth_getTransactionByHash", txHash)) ?? undefined;
    });
  }

  /** 0: blocks are made only by `mine`. */
  secondsPerBlock(seconds: number): Promise<unknown> {
    return this.call("evm_setIntervalMining", seconds);
  }
  mine(blocks: number): Promise<unknown> {
    return this.call("anvil_mine", `0x${blocks.toString(16)}`);
  }
}

/** A PostgreSQL that listens on a Unix socket only, as the user postgres when we are root. */
export class Postgres {
  readonly #folder = mkdtempSync(join(tmpdir(), "fencepost-pg-"));
  readonly #as: StartOptions;
  #server: OwnProcess | undefined;

  private constructor() {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"]));
    const user = process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : undefined;
    if (user) chownSync(this.#folder, user.uid, user.gid);
    this.#as = { folder: this.#folder, ...(user ? { user } : {}) };
  }

  static async start(world: World): Promise<Postgres> {
    const postgres = new Postgres();
    world.atEnd(() => rmSync(postgres.#folder, { recursive: true, force: true }));
    world.atEnd(() => postgres.stop("SIGQUIT"));
    const how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"];
    await run([`${postgresBin}/initdb`, "-D", postgres.#data, ...how], postgres.#as);
    await postgres.start();
    return postgres;
  }

  get url(): string {
    return `postgresql://postgres@/postgres?host=${this.#folder}&port=5432`;
  }
  get #data(): string {
    return join(this.#folder, "data");
  }

  /** Starts it again after a stop. */
  async start(): Promise<void> {
    const settings = ["listen_addresses=", `unix_socket_directories=${this.#folder}`, "fsync=off"];
    const command = [`${postgresBin}/postgres`, "-D", this.#data, ...settings.flatMap((one) => ["-c", one])];
    this.#server = new OwnProcess(command, { ...this.#as, deathSignal: "QUIT" });
    await this.#server.says(/ready to accept connections/);
  }
  /** SIGINT: closes connections; committed data stays. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    this.thaw();
    await this.#server?.stop(signal);
  }

  /** For statements that Fencepost itself never runs. */
  does(sql: string): Promise<string> {
    return run([`${postgresBin}/psql`, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, this.url], this.#as);
  }

  /** Stops all its processes: connections stay open, and nothing is answered. */
  freeze(): void {
    this.#signal("SIGSTOP");
  }
  thaw(): void {
    this.#signal("SIGCONT");
  }
  /** The parent first, so that no session starts meanwhile. Waits until the kernel has delivered the signals. */
  #signal(signal: "SIGSTOP" | "SIGCONT"): void {
    if (this.#server === undefined || this.#server.hasEnded) return;
    const { pid } = this.#server;
    process.kill(pid, signal);
    while (signal === "SIGSTOP" && !/^State:\s+[TZ]/m.test(readFileSync(`/proc/${pid}/status`, "utf8")));
    const sessions = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    for (const session of sessions.filter((one) => one !== "")) {
      try {
        process.kill(Number(session), signal);
      } catch {
        // The process has just ended.
      }
    }
  }
}
