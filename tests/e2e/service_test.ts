// What an operator has after "fencepost serve": PostgreSQL, an external chain and API keys, used by curl as the guide
// shows, and by the sample client.
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Fencepost } from "../../samples/typescript-client/fencepost.ts";
import { clientWorkflow, invalidRequests, exampleProgram } from "./client_stories.ts";
import { runGuide } from "./guide.ts";
import { apiGuide } from "./places.ts";
import { bob } from "./play.ts";
import { type Keys, type Service, makeKeys, startServe } from "./service.ts";
import { Anvil, Postgres, World } from "./world.ts";

const world = new World();
let node: Service;
let keys: Keys;

before(async () => {
  const chain = await Anvil.start(world);
  const { url: databaseUrl } = await Postgres.start(world);
  const made = await makeKeys(world);
  keys = made.keys;
  node = await startServe(world, { databaseUrl, rpcUrl: chain.url, keysFile: made.file });
});
after(() => world.end());

test("the commands of the guide print what the guide shows", async () => {
  await runGuide(readFileSync(apiGuide, "utf8"), node.url, world.folder, keys.admin);
});

test("the sample client sends, waits, finds, lists and cancels", async () => {
  const client = new Fencepost(node.url, { apiKey: keys.write });
  await clientWorkflow(client, bob);
  await invalidRequests(client, bob);
});

test("the example of the sample client ends with a verdict", async () => {
  await exampleProgram(node.url, { FENCEPOST_API_KEY: keys.write });
});
