// What a test runs Fencepost on: a folder, a chain, a database. All of it is private, on loopback, and gone at the end.
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnProcess, eventually, run } from "./own_process.ts";
import { anvil } from "./places.ts";

/** Keeps what was started, and ends it in the opposite order. */
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class Anvil {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  /** A block each second, so that confirmations grow by themselves. */
  static async start(world: World): Promise<Anvil> {
    const port = await freePort();
    const chain = new Anvil(`http://127.0.0.1:${port}`);
    world.keep(new OwnProcess([anvil, "--host", "127.0.0.1", "--port", `${port}`, "--block-time", "1", "--silent"]));
    await eventually("anvil answers", 60, () => chain.call("eth_chainId").catch(() => undefined));
    return chain;
  }

  async call(method: string, ...params: unknown[]): Promise<any> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const signal = AbortSignal.timeout(10_000);
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

  /** 0: blocks are made only when `mine` asks for them. */
  secondsPerBlock(seconds: number): Promise<unknown> {
    return this.call("evm_setIntervalMining", seconds);
  }
  mine(blocks: number): Promise<unknown> {
    return this.call("anvil_mine", `0x${blocks.toString(16)}`);
  }
}

/** Starts a PostgreSQL that listens on a Unix socket only, as the user postgres when we are root, and gives its URL. */
export async function startPostgres(world: World): Promise<string> {
  const bin = "/usr/lib/postgresql/15/bin";
  const folder = mkdtempSync(join(tmpdir(), "fencepost-pg-"));
  world.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"]));
  const user = process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const as = { folder, ...(user ? { user } : {}) };
  const data = join(folder, "data");
  await run([`${bin}/initdb`, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"], as);
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off"].flatMap((one) => [
    "-c",
    one,
  ]);
  const server = new OwnProcess([`${bin}/postgres`, "-D", data, ...settings], { ...as, deathSignal: "QUIT" });
  world.keep(server, "SIGQUIT");
  await server.says(/ready to accept connections/);
  return `postgresql://postgres@/postgres?host=${folder}&port=5432`;
}
