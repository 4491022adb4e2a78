// Programs that a test starts. Each ends with the test: the test stops it, or the kernel does when the test dies.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export type StartOptions = {
  user?: { uid: number; gid: number };
  folder?: string;
  env?: Record<string, string>;
  /** The signal that it gets when this process dies. */
  deathSignal?: "KILL" | "QUIT";
};

/** The exit code or signal; null while it runs. */
export type Ending = number | NodeJS.Signals | null;

export class OwnProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #ended: Promise<unknown>;
  #isHeardOut = false;
  /** Everything written so far to stdout and stderr. */
  output = "";

  constructor(command: string[], options: StartOptions = {}) {
    this.#name = command[0]!;
    const dies = ["--pdeathsig", options.deathSignal ?? "KILL", "--", ...command];
    this.#child = spawn("setpriv", dies, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...options.env },
      ...(options.folder === undefined ? {} : { cwd: options.folder }),
      ...options.user,
    });
    this.#ended = once(this.#child, "exit");
    this.#child.on("close", () => (this.#isHeardOut = true));
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    }
  }

  get pid(): number {
    return this.#child.pid!;
  }
  get hasEnded(): boolean {
    return this.#ending !== null;
  }
  get #ending(): Ending {
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** Waits until the output matches. */
  async says(pattern: RegExp, seconds = 60): Promise<RegExpMatchArray> {
    return await eventually(`${this.#name} says ${pattern}`, seconds, async () => {
      const match = this.output.match(pattern);
      if (!match && this.hasEnded) throw new Error(`${this.#name} ended without saying ${pattern}:\n${this.output}`);
      return match ?? undefined;
    });
  }

  /** Its exit code or signal. Kills it if it does not end in time. */
  async stop(signal: NodeJS.Signals = "SIGTERM", seconds = 30): Promise<Ending> {
    if (!this.hasEnded) this.#child.kill(signal);
    const late = setTimeout(() => this.#child.kill("SIGKILL"), seconds * 1000);
    if (!this.hasEnded) await this.#ended;
    clearTimeout(late);
    return this.#ending;
  }

  /** Waits for its end and for the rest of its output, which may arrive after the exit. */
  async ends(seconds: number): Promise<Ending> {
    await eventually(`${this.#name} ends`, seconds, async () => this.#isHeardOut || undefined);
    return this.#ending;
  }
}

/** Polls until the result is not undefined; fails after this many seconds and names the condition. */
export async function eventually<T>(what: string, seconds: number, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs a command to its end and returns its output; fails when the command fails. */
export async function run(command: string[], options: StartOptions & { seconds?: number } = {}): Promise<string> {
  const process = new OwnProcess(command, options);
  const code = await process.ends(options.seconds ?? 60).finally(() => process.stop("SIGKILL"));
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${process.output}`);
  return process.output;
}
