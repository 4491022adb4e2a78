// usage: node lint_openapi.mjs <document>
//
// Judges an OpenAPI document by the strict rules of Redocly's linter, examples included. The linter's library is used,
// not its command: that one asks the network for newer versions of itself, and reports that it was used.
import { createConfig, formatProblems, getTotals, lint } from "@redocly/openapi-core";

const config = await createConfig({
  extends: ["recommended-strict"],
  // Health and this document are open to everybody and take no parameter: there is nothing a caller could get wrong.
  rules: { "operation-4xx-response": "off" },
});
const problems = await lint({ ref: process.argv[2], config });
formatProblems(problems, { format: "codeframe", totals: getTotals(problems), version: "" });
process.exitCode = problems.length === 0 ? 0 : 1;
