// Starts Fencepost as an operator would.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OwnProcess, run } from "./own_process.ts";
import { program } from "./places.ts";
import type { World } from "./world.ts";

export type Service = { url: string; process: OwnProcess };

/** Its resident memory. */
export const residentKiB = ({ process }: Service): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))![1]);

const serving = /serving on (https?:\/\/[^ ]+)/;

export async function startDemo(world: World, ...more: string[]): Promise<Service> {
  const data = join(world.folder, "demo");
  const process = new OwnProcess([program, "demo", "--listen", "127.0.0.1:0", "--data", data, ...more]);
  world.keep(process, "SIGINT");
  const [, url] = await process.says(serving);
  return { url: url!, process };
}

export type Keys = { read: string; write: string; admin: string };

/** One key for each scope, and the file that holds them. */
export async function makeKeys(world: World): Promise<{ file: string; keys: Keys }> {
  const file = join(world.folder, "keys.yaml");
  const make = async (scope: keyof Keys) => {
    const said = await run([program, "apikey", "new", "--keys", file, "--name", `e2e-${scope}`, "--scope", scope]);
    return said.match(/fp_[\w-]+/)![0];
  };
  return { file, keys: { read: await make("read"), write: await make("write"), admin: await make("admin") } };
}

/** The well-known keys of development chains, of which the first is 0xf39F…; they are public. */
const developmentKeys = [
  "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
];

export type ServeOptions = {
  databaseUrl: string;
  rpcUrl: string;
  keysFile?: string;
  /** A suffix for names, for tests with several nodes. */
  name?: string;
  /** More lines of the configuration. */
  more?: string[];
};

/** Writes its configuration and returns the file. */
export function configure(world: World, options: ServeOptions): string {
  const keyFile = join(world.folder, "development-keys");
  writeFileSync(keyFile, developmentKeys.join("\n") + "\n", { mode: 0o600 });
  const name = options.name ?? "fencepost";
  const config = join(world.folder, `${name}.yaml`);
  const lines = [
    "listen: 127.0.0.1:0",
    `node.name: ${name}`,
    `database.url: "${options.databaseUrl}"`,
    "confirmations.required: 3",
    "chains:",
    `  anvil: {id: 31337, rpc.url: "${options.rpcUrl}", heads.pollInterval: 200ms}`,
    // Detects lost transactions after seconds instead of a minute.
    "submitters:",
    '  impatient: {account: "eip155:31337:0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc", resubmit.interval: 2s}',
    "signers:",
    `  dev: {kind: development, keyFile: "${keyFile}"}`,
    ...(options.keysFile === undefined ? [] : [`api.keysFile: "${options.keysFile}"`]),
    ...(options.more ?? []),
  ];
  writeFileSync(config, lines.join("\n") + "\n");
  return config;
}

export async function startServe(world: World, options: ServeOptions): Promise<Service> {
  const config = configure(world, options);
  await run([program, "migrate", "--database", options.databaseUrl]);
  const process = world.keep(new OwnProcess([program, "serve", "--config", config]));
  const [, url] = await process.says(serving);
  return { url: url!, process };
}
