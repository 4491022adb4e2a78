// The commands of the tutorial and of every guide do what the text says they do.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { blocksOf, guidePaths, guideText, missingLine, runBlocks } from "./guides.ts";
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

for (const path of guidePaths()) {
  const guide = guideText(path);
  if (blocksOf(guide).length === 0) continue;
  test(`runs the commands of docs/${path}`, () => runBlocks(guide, join(world.folder, path.replaceAll("/", "-"))));
}
