// A sample remote signer: it holds the key, and Fencepost calls it with eth_signTransaction. Add your own rules below.
import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { timingSafeEqual } from "node:crypto";
import { Transaction, Wallet } from "ethers";

const { KEYSTORE, PASSWORD_FILE, TOKEN_FILE, TLS_CERT, TLS_KEY, PORT = "9000" } = process.env;
const text = (file) => readFileSync(file, "utf8").trimEnd();
const wallet = Wallet.fromEncryptedJsonSync(text(KEYSTORE), text(PASSWORD_FILE));
const expected = Buffer.from(`Bearer ${text(TOKEN_FILE)}`);

function allowed(request) {
  const given = Buffer.from(request.headers.authorization ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const methods = {
  eth_accounts: () => [wallet.address],
  eth_signTransaction: async ([{ from, gas, nonce, ...rest }]) => {
    if (from.toLowerCase() !== wallet.address.toLowerCase()) throw new Error("not my account");
    // Your rules: allowed destinations, daily limits, approvals. Throw to refuse.
    const type = rest.gasPrice === undefined ? 2 : 0;
    return wallet.signTransaction(Transaction.from({ ...rest, type, nonce: Number(nonce), gasLimit: gas }));
  },
};

async function answer({ id, method, params }) {
  try {
    if (!Object.hasOwn(methods, method)) throw new Error(`no method ${method}`);
    return { jsonrpc: "2.0", id, result: await methods[method](params) };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: { code: -32000, message: error.shortMessage ?? error.message } };
  }
}

async function serve(request, response) {
  if (!allowed(request)) return response.writeHead(401).end();
  const chunks = await request.toArray();
  const asked = JSON.parse(Buffer.concat(chunks));
  const answers = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers));
}

const handle = (request, response) => serve(request, response).catch(() => response.writeHead(400).end());
const server = TLS_CERT ? createHttps({ cert: text(TLS_CERT), key: text(TLS_KEY) }, handle) : createHttp(handle);
server.listen(Number(PORT), "127.0.0.1", () => console.log(`signing for ${wallet.address} on port ${server.address().port}`));
