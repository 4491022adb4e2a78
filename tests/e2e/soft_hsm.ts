// A SoftHSM token with one key, in the test's folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./own_process.ts";
import type { World } from "./world.ts";

export type SoftHsm = {
  /** The environment that a user of the token needs. */
  env: Record<string, string>;
  module: string;
  token: string;
  pin: string;
};

export async function makeSoftHsm(world: World): Promise<SoftHsm> {
  const tokens = join(world.folder, "tokens");
  mkdirSync(tokens);
  const config = join(world.folder, "softhsm2.conf");
  writeFileSync(config, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`);
  const hsm = {
    env: { SOFTHSM2_CONF: config },
    module: "/usr/lib/softhsm/libsofthsm2.so",
    token: "fencepost e2e",
    pin: "73550921",
  };
  const { env, token, pin } = hsm;
  await run(["softhsm2-util", "--init-token", "--free", "--label", token, "--so-pin", pin, "--pin", pin], { env });
  const key = join(world.folder, "hsm-key.pem");
  await run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1", "-out", key]);
  const label = ["--label", "treasury", "--id", "01"];
  await run(["softhsm2-util", "--import", key, "--token", token, ...label, "--pin", pin], { env });
  return hsm;
}
