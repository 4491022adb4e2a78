// The API over TLS, called with curl: a client that trusts the server gets an answer, and where client certificates are
// required, every request needs one.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Authority, type Certificate } from "./certificates.ts";
import { OwnProcess } from "./own_process.ts";
import { alice, transfer } from "./play.ts";
import { type Service, makeKeys, startServe } from "./service.ts";
import { Anvil, World } from "./world.ts";

const world = new World();
let chain: Anvil;
let authority: Authority;
let server: Certificate;

before(async () => {
  chain = await Anvil.start(world);
  authority = await Authority.make(world, "authority");
  server = await authority.certify("server");
});
after(() => world.end());

const serve = (name: string, more: string[], keysFile?: string): Promise<Service> => {
  const tls = [`http.tls.certificateFile: "${server.file}"`, `http.tls.keyFile: "${server.keyFile}"`];
  const databaseUrl = join(world.folder, `${name}.db`);
  const keys = keysFile === undefined ? {} : { keysFile };
  return startServe(world, { name, databaseUrl, rpcUrl: chain.url, more: [...tls, ...more], ...keys });
};

/** The output and exit code of curl: 0, 35 (TLS failed), 56 (cut off), 60 (a certificate it does not trust). */
async function curl(...options: string[]): Promise<{ code: unknown; text: string }> {
  const process = new OwnProcess(["curl", "-sS", "--max-time", "90", ...options]);
  const code = await process.ends(100);
  return { code, text: process.output };
}

test("a client that trusts the authority is served; plain HTTP and untrusted certificates fail", async () => {
  const { url, process } = await serve("public", []);
  assert.match(url, /^https:/, "it says how it is to be called");
  const trusting = await curl("--cacert", authority.file, `${url}/livez`);
  assert.equal(trusting.code, 0, trusting.text);
  assert.equal((await curl(`${url}/livez`)).code, 60);
  const plain = await curl(`${url.replace("https:", "http:")}/livez`);
  assert.match(plain.text, /This port speaks TLS/);

  const body = ["-H", "Content-Type: application/json", "-d", JSON.stringify(transfer(alice, "by TLS"))];
  const sent = JSON.parse((await curl("--cacert", authority.file, ...body, `${url}/api/v1/tx`)).text);
  assert.equal(sent.state, "QUEUED");
  const settled = await curl("--cacert", authority.file, `${url}/api/v1/tx/${sent.txId}?wait=60s`);
  assert.equal(JSON.parse(settled.text).state, "CONFIRMED", settled.text);
  const cluster = JSON.parse((await curl("--cacert", authority.file, `${url}/api/v1/cluster`)).text);
  assert.equal(cluster.nodes[0].address, url, "it tells other nodes the same");
  assert.equal(await process.stop(), 0, process.output);
});

test("with client certificates required, a request needs both a certificate and an API key", async () => {
  const clients = await Authority.make(world, "clients");
  const shop = await clients.certify("shop");
  const untrusted = await authority.certify("untrusted");
  const { file: keysFile, keys } = await makeKeys(world);
  const { url, process } = await serve("private", [`http.tls.clientCaFile: "${clients.file}"`], keysFile);
  const trusting = ["--cacert", authority.file];
  const as = (who: Certificate) => [...trusting, "--cert", who.file, "--key", who.keyFile];

  for (const options of [trusting, as(untrusted)]) {
    const refused = await curl(...options, `${url}/livez`);
    assert.ok(refused.code === 35 || refused.code === 56, `${refused.code}: ${refused.text}`);
  }
  const status = ["-o", "/dev/null", "-w", "%{http_code}"];
  assert.equal((await curl(...as(shop), ...status, `${url}/livez`)).text, "200");
  assert.equal((await curl(...as(shop), ...status, `${url}/api/v1/tx`)).text, "401", "a certificate is no key");
  const key = ["-H", `X-Api-Key: ${keys.read}`];
  assert.equal((await curl(...as(shop), ...key, ...status, `${url}/api/v1/tx`)).text, "200");
  assert.equal(await process.stop(), 0, process.output);
});
