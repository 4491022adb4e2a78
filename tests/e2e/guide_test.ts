// The runner of the guide must detect differences.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiDocument } from "./document.ts";
import { missingLines, shows, stepsOf } from "./guide.ts";
import { apiGuide, errorsPage, openApiFile, readme } from "./places.ts";

test("a response with additional fields matches", () => {
  assert.ok(shows({ a: 1, b: [{ c: "0x…" }] }, { a: 1, b: [{ c: "0x12", d: 1 }, {}], e: null }));
  assert.ok(shows(null, null));
});

test("a response with a missing or different field does not match", () => {
  assert.ok(!shows({ a: 1 }, {}));
  assert.ok(!shows({ a: null }, { a: 1 }));
  assert.ok(!shows({ a: null }, {}));
  assert.ok(!shows({ a: "0x…" }, { a: "1x" }));
  assert.ok(!shows({ a: "…" }, { a: 1 }));
  assert.ok(!shows([{}, {}], [{}]));
  assert.ok(!shows({ a: {} }, { a: null }));
  assert.ok(!shows([], {}));
});

test("the guide is readable, and every block of JSON follows commands", () => {
  const steps = stepsOf(readFileSync(apiGuide, "utf8"));
  assert.ok(steps.filter(({ expected }) => expected !== undefined).length >= 8);
  assert.ok(steps.some(({ fails }) => fails));
  assert.throws(() => stepsOf("```\nls\n```\n"));
});

test("the README can be read: a request with its answer, and a command with what it prints", () => {
  const steps = stepsOf(readFileSync(readme, "utf8"), "skipped");
  assert.ok(steps.some(({ commands, expected }) => commands.startsWith("curl ") && expected !== undefined));
  assert.ok(steps.some(({ commands, lines }) => commands.startsWith("fencepost ") && lines !== undefined));
});

test("a line that was not printed is missing", () => {
  assert.deepEqual(missingLines(["hash  0x…", "state  B"], "state  A\nhash  0x12\n"), ["state  B"]);
});

test("the page of errors says what to do about every problem that openapi.json names", () => {
  const page = readFileSync(errorsPage, "utf8");
  const types: string[] = ApiDocument.load(openApiFile).text["components"].schemas.Problem.properties.type.enum;
  assert.ok(types.length > 15);
  const missing = types.map((type) => type.split(":").at(-1)!).filter((kind) => !page.includes(`| \`${kind}\` |`));
  assert.deepEqual(missing, []);
});
