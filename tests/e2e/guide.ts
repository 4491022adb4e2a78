// Runs the commands of docs/reference/api.md and README.md, so that they stay correct: each block of shell commands in
// turn, in one shell, and compares the output with the block of JSON or text that follows. In it, "…" matches anything.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { program } from "./places.ts";

type Step = { commands: string; fails: boolean; expected?: unknown; lines?: string[] };

/** `others` are blocks without a language, or with one that is neither run nor compared. */
export function stepsOf(guide: string, others: "refused" | "skipped" = "refused"): Step[] {
  const steps: Step[] = [];
  for (const [, info, text] of guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    if (info === "sh" || info === "sh fails") steps.push({ commands: text!, fails: info === "sh fails" });
    else if (info === "json") steps.at(-1)!.expected = JSON.parse(text!);
    else if (info === "text") steps.at(-1)!.lines = text!.trimEnd().split("\n");
    else if (others === "refused") assert.fail(`the guide has a block that is neither sh nor json: ${info}`);
  }
  return steps;
}

/** Whether `actual` contains everything in `expected`; it may have more. */
export function shows(expected: any, actual: any): boolean {
  if (typeof expected === "string" && expected.includes("…")) {
    const pattern = expected
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]*");
    return typeof actual === "string" && new RegExp(`^${pattern}$`).test(actual);
  }
  if (expected === null || typeof expected !== "object") return expected === actual;
  if (actual === null || typeof actual !== "object") return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length < expected.length)) return false;
  return Object.keys(expected).every((key) => shows(expected[key], actual[key]));
}

/** The expected lines that were not printed. */
export const missingLines = (expected: string[], printed: string): string[] =>
  expected.filter((line) => !printed.split("\n").some((each) => shows(line, each.trimEnd())));

/** With a key, curl sends it with every command. */
export async function runGuide(guide: string, url: string, folder: string, key?: string): Promise<void> {
  const steps = stepsOf(guide);
  assert.ok(steps.length > 5, "the guide has been read");
  await runSteps(steps, url, join(folder, "guide"), key);
}

/** The shell has `fencepost` in its path, and the variable that tells it where the service is. */
export async function runSteps(steps: Step[], url: string, home: string, key?: string): Promise<void> {
  mkdirSync(home);
  // A person sees a refusal; the shell must check for it.
  const how = ["silent", "show-error", "fail-with-body", "max-time = 90"];
  if (key !== undefined) how.push(`header = "Authorization: Bearer ${key}"`);
  writeFileSync(join(home, ".curlrc"), how.join("\n") + "\n");
  const script = steps.map(({ commands, fails }, n) => {
    const inFile = `{ ${commands.trim()}\n} > step-${n}`;
    return fails ? `if ${inFile}; then echo 'step ${n} should have failed' >&2; exit 1; fi` : inFile;
  });
  const whole = ["set -euo pipefail", ...script].join("\n").replaceAll("http://127.0.0.1:8646", url);
  const path = `${dirname(program)}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, CURL_HOME: home, PATH: path, FENCEPOST_URL: url };
  const shell = spawnSync("bash", ["-c", whole], { cwd: home, env, encoding: "utf8", timeout: 240_000 });
  const printed = (n: number) => readFileSync(join(home, `step-${n}`), "utf8");
  const told = () =>
    steps
      .map((_, n) => {
        try {
          return printed(n);
        } catch {
          return "";
        }
      })
      .join("");
  assert.equal(shell.status, 0, `${shell.stderr}\n${told()}`);
  for (const [n, { expected, lines, commands }] of steps.entries()) {
    if (lines !== undefined) assert.deepEqual(missingLines(lines, printed(n)), [], `${commands} printed ${printed(n)}`);
    if (expected === undefined) continue;
    assert.ok(shows(expected, JSON.parse(printed(n))), `${commands} printed ${printed(n)}`);
  }
}
