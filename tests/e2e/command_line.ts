// The commands that call a node, as a script runs them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "./places.ts";

export type Ran = { code: number | null; out: string; err: string };

export class CommandLine {
  readonly #url: string;
  constructor(url: string) {
    this.#url = url;
  }

  /** Runs a command with these arguments, with `input` on its stdin. */
  async run(words: string[], input = ""): Promise<Ran> {
    const env = { ...process.env, FENCEPOST_URL: this.#url };
    const child = spawn(program, words, { env, timeout: 60_000 });
    const ran: Ran = { code: null, out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.err += text));
    child.stdin.on("error", () => undefined).end(input); // the program may exit without reading it
    [ran.code] = (await once(child, "close")) as [number | null];
    return ran;
  }

  /** Its text output; it must exit with this code, and write to stderr exactly when it fails. */
  async tells(code: number, ...words: string[]): Promise<string> {
    const ran = await this.run(words);
    const told = `fencepost ${words.join(" ")}: ${ran.code}\n${ran.out}${ran.err}`;
    assert.equal(ran.code, code, told);
    assert.throws(() => JSON.parse(ran.out), `${told}\nis for people`);
    if (code === 0) assert.equal(ran.err, "", told);
    return ran.out + ran.err;
  }

  /** Its JSON output: one document, also on failure. */
  async answers(code: number, ...words: string[]): Promise<any> {
    const ran = await this.run([...words, "--json"]);
    assert.equal(ran.code, code, `fencepost ${words.join(" ")}: ${ran.code}\n${ran.out}${ran.err}`);
    return JSON.parse(ran.out);
  }
}
