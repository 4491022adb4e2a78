// Runs the shell commands of a guide in one shell, as a reader would, so that the guides cannot go stale. In a guide
//   ```sh              is run, and has to succeed
//   ```sh fails        is run, and has to fail
//   ```sh background   is one command of fencepost that keeps running ("in another terminal"); it takes the place of
//                      an earlier one that listens at the same address
//   ```sh no-run       is not run; the sentence above says why
//   ```text, ```json   right after such a block is what it prints, shortened; "…" stands for anything
// Every other block is only shown.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { shows } from "./guide.ts";
import { OwnProcess } from "./own_process.ts";
import { program, source } from "./places.ts";

type Kind = "run" | "fails" | "background";
export type Block = { kind: Kind; commands: string; text?: string[]; json?: unknown };

const kinds: Record<string, Kind> = { sh: "run", "sh fails": "fails", "sh background": "background" };
const fence = /^```(.*)\n([\s\S]*?)^```$/gm;

const docs = join(source, "docs");

function below(folder: string): string[] {
  return readdirSync(join(docs, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return below(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** What is for users, as paths below docs/. */
export const documentPaths = (): string[] => ["start", "guides", "operating"].flatMap(below).sort();

/** Of these, the ones whose commands are run. */
export const guidePaths = (): string[] => documentPaths().filter((path) => !path.startsWith("operating/"));

/** A page of the reference. */
export const reference = (name: string): string =>
  readFileSync([join(docs, "reference", name), join(docs, name)].find(existsSync)!, "utf8");

export const guideText = (path: string): string => readFileSync(join(docs, path), "utf8");

export function blocksOf(guide: string): Block[] {
  const blocks: Block[] = [];
  let answerable: Block | undefined; // the block that ended just before
  let end = 0;
  for (const { 0: all, 1: info, 2: content, index } of guide.matchAll(fence)) {
    const before = guide.slice(end, index);
    if (before.trim() !== "") answerable = undefined;
    end = index! + all.length;
    const kind = kinds[info!];
    if (kind !== undefined) {
      answerable = { kind, commands: content!.trim() };
      blocks.push(answerable);
      continue;
    }
    if (info === "sh no-run") assert.match(before.trim(), /[.:]\**$/, "a sentence above says why it is not run");
    else assert.ok(!/^(sh|bash|shell)/.test(info!), `a block of shell commands is marked "${info}"`);
    if (answerable && info === "text") answerable.text = content!.split("\n").map(squeeze).filter(isShown);
    if (answerable && info === "json") answerable.json = JSON.parse(content!);
    answerable = undefined;
  }
  return blocks;
}

const squeeze = (line: string) => line.trim().replace(/\s+/g, " ");
const isShown = (line: string) => line !== "" && line !== "…";

/** The first expected line that the output does not show, in order; nothing when it shows all. */
export function missingLine(expected: string[], output: string): string | undefined {
  const lines = output.split("\n").map(squeeze);
  let from = 0;
  for (const line of expected) {
    const pattern = line
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*");
    const found = lines.findIndex((one, i) => i >= from && new RegExp(`^${pattern}$`).test(one));
    if (found < 0) return line;
    from = found + 1;
  }
  return undefined;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** What stands in the script for a block; its output goes to a file of its own. */
function scriptOf({ kind, commands, text }: Block, n: number, api: string): string {
  const file = `steps/${n}`;
  if (kind === "run") return `{ ${commands}\n} > ${file} 2> ${file}.err`;
  if (kind === "fails") return `if { ${commands}\n} > ${file} 2> ${file}.err; then exit 1; fi`;
  const [, command] = /^fencepost (\w+)/.exec(commands) ?? assert.fail(`not a command of fencepost: ${commands}`);
  const name = /--listen (\S+)/.exec(commands)?.[1] ?? (command === "devchain" ? "the chain" : api);
  // It is ready when it has printed the last line that the guide shows; its longest part without "…" will do.
  const last = text?.at(-1) ?? assert.fail(`what "${commands}" prints is not shown`);
  const ready = last.split("…").reduce((a, b) => (b.length > a.length ? b : a)).trim();
  return `end_of ${quoted(name)}
    setpriv --pdeathsig TERM -- ${commands} > ${file} 2>&1 &
    running[${quoted(name)}]=$!
    for (( i = 0; ; ++i )); do
      tr -s ' ' < ${file} | grep -qF -- ${quoted(ready)} && break
      kill -0 "\${running[${quoted(name)}]}" && (( i < 600 )) || exit 1
      sleep 0.1
    done`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const prelude = `set -euo pipefail
  declare -A running
  end_of() {
    [[ -v running[$1] ]] || return 0
    kill "\${running[$1]}" 2>/dev/null || true
    wait "\${running[$1]}" 2>/dev/null || true
    unset "running[$1]"
  }
  trap 'kill $(jobs -p) 2>/dev/null || true; wait || true' EXIT`;

/** Runs a guide in a folder of its own. Its ports are replaced, so that guides may run side by side. */
export async function runBlocks(guide: string, folder: string): Promise<void> {
  const ports = new Map<string, number>();
  for (const port of ["8646", "8545", "9000"]) ports.set(port, await freePort());
  const api = `127.0.0.1:${ports.get("8646")}`;
  const own = (_: string, port: string) => `127.0.0.1:${ports.get(port)}`;
  const blocks = blocksOf(guide.replace(/127\.0\.0\.1:(8646|8545|9000)\b/g, own));
  mkdirSync(join(folder, "steps"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  symlinkSync(program, join(folder, "bin", "fencepost"));
  // A reader sees that an answer is a refusal; the shell must be told to notice.
  writeFileSync(join(folder, ".curlrc"), ["silent", "show-error", "fail-with-body", "max-time = 90"].join("\n"));
  const script = join(folder, "script");
  writeFileSync(script, [prelude, ...blocks.map((block, n) => scriptOf(block, n, api))].join("\n") + "\n");
  const env = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    CURL_HOME: folder,
    FENCEPOST_URL: `http://${api}`,
    FENCEPOST_LISTEN: api,
  };
  const shell = new OwnProcess(["bash", script], { folder, env });
  const read = (file: string): string => {
    try {
      return readFileSync(join(folder, "steps", file), "utf8");
    } catch {
      return ""; // not reached, or nothing of that kind
    }
  };
  const printed = (n: number) => read(`${n}`) + read(`${n}.err`);
  const code = await shell.ends(240);
  const story = () => blocks.map(({ commands }, n) => `$ ${commands}\n${printed(n)}`).join("\n");
  assert.equal(code, 0, `${shell.output}\n${story()}`);
  for (const [n, { commands, text, json }] of blocks.entries()) {
    if (text) assert.equal(missingLine(text, printed(n)), undefined, `$ ${commands}\n${printed(n)}`);
    if (json !== undefined) assert.ok(shows(json, JSON.parse(read(`${n}`))), `$ ${commands}\n${printed(n)}`);
  }
}
