// The commands of the tutorial and of every guide do what the text says they do.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { blocksOf, documentPaths, guidePaths, guideText, missingLine, reference, runBlocks } from "./guides.ts";
import { World } from "./world.ts";

const world = new World();
after(() => world.end());

test("finds a line that is missing, changed or out of order", () => {
  assert.equal(missingLine(["state CONFIRMED", "hash 0x…"], "state    CONFIRMED\nblock 7\nhash 0x12\n"), undefined);
  assert.equal(missingLine(["state CONFIRMED"], "state MINED"), "state CONFIRMED");
  assert.equal(missingLine(["b", "a"], "a\nb\n"), "a");
  assert.equal(missingLine(["a"], "a b"), "a");
});

test("refuses a shell block whose mark it does not know", () => {
  assert.throws(() => blocksOf("```shell\nls\n```\n"));
  assert.throws(() => blocksOf("no reason\n```sh no-run\nls\n```\n"));
  assert.deepEqual(blocksOf("It needs nginx:\n```sh no-run\nls\n```\n"), []);
});

/** Names between backticks, without a value behind them. */
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, one]) => one!.split(/[:=<> ]/)[0]!);

test("names only metrics that exist", () => {
  const known = new Set(quotedIn(reference("metrics.md")));
  for (const path of documentPaths()) {
    if (!path.startsWith("operating/")) continue; // elsewhere columns and databases have such names
    const named = [...guideText(path).matchAll(/\bfencepost_[a-z_]+/g)].map(([one]) => one.replace(/_bucket$/, ""));
    assert.deepEqual(named.filter((one) => !known.has(one)), [], path);
  }
});

test("names only configuration keys that exist", () => {
  const short = (key: string) => key.replace(/^(chains|submitters)\.NAME\./, "");
  const known = quotedIn(reference("configuration.md")).map(short);
  const sections = new Set(known.filter((key) => /^\w+\.\w/.test(key)).map((key) => key.split(".")[0]!));
  const isKnown = (key: string) => {
    const section = key.replace(/\.\*$/, "");
    return known.some((one) => one === key || one.startsWith(`${section}.`));
  };
  for (const path of documentPaths()) {
    const keys = quotedIn(guideText(path).replace(/^```[\s\S]*?^```$/gm, ""))
      .filter((one) => /^[a-zA-Z]+(\.[a-zA-Z*]+)+$/.test(one) && sections.has(one.split(".")[0]!))
      .map(short);
    assert.deepEqual(keys.filter((key) => !isKnown(key)), [], path);
  }
});

for (const path of guidePaths()) {
  const guide = guideText(path);
  if (blocksOf(guide).length === 0) continue;
  test(`runs the commands of docs/${path}`, () => runBlocks(guide, join(world.folder, path.replaceAll("/", "-"))));
}
