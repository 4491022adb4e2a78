// Runs a real geth that makes blocks on demand: this script takes the part of its consensus client.
import { createHmac, randomBytes } from 'node:crypto';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const hex = (number) => '0x' + BigInt(number).toString(16);

async function free_port() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class Geth {
  /// `alloc` holds the initial account balances, as in a genesis file.
  static async start(program, flags, alloc) {
    const geth = new Geth();
    geth.folder = mkdtempSync(join(tmpdir(), 'geth-pool-'));
    const quiet = { stdio: ['ignore', 'pipe', 'ignore'] };
    const genesis = JSON.parse(execFileSync(program, ['--dev', 'dumpgenesis'], quiet));
    delete genesis.config.osakaTime; // the last fork whose blocks the calls below can make
    delete genesis.config.bogotaTime;
    genesis.gasLimit = hex(30_000_000);
    Object.assign(genesis.alloc, alloc);
    const file = (name) => join(geth.folder, name);
    writeFileSync(file('genesis.json'), JSON.stringify(genesis));
    geth.secret = randomBytes(32);
    writeFileSync(file('jwt'), geth.secret.toString('hex'));
    execFileSync(program, ['--datadir', file('data'), 'init', file('genesis.json')], { stdio: 'ignore' });
    const [http, engine] = [await free_port(), await free_port()];
    geth.http = `http://127.0.0.1:${http}`;
    geth.engine_url = `http://127.0.0.1:${engine}`;
    geth.started_at = Date.now();
    geth.process = spawn(program, [
      '--datadir', file('data'), '--networkid', '1337', '--nodiscover', '--maxpeers', '0', '--port', '0',
      '--ipcdisable',
      '--http', '--http.port', String(http), '--http.api', 'eth,net,web3,txpool', '--rpc.txfeecap', '0',
      '--authrpc.port', String(engine), '--authrpc.jwtsecret', file('jwt'),
      '--miner.gaslimit', '30000000', '--syncmode', 'full', ...flags,
    ], { stdio: 'ignore' });
    geth.process.on('exit', () => { geth.ended = true; });
    await geth.wait_until_up();
    geth.genesis = await geth.call('eth_getBlockByNumber', ['0x0', false]);
    return geth;
  }

  async wait_until_up() {
    for (;;) {
      if (this.ended) throw new Error('geth ended');
      try { await this.call('web3_clientVersion', []); return; } catch { await sleep(50); }
    }
  }

  stop() {
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  async post(url, body, headers = {}) {
    const response = await fetch(url, {
      method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body),
    });
    return response.json();
  }

  async call(method, params) {
    const answer = await this.post(this.http, { jsonrpc: '2.0', id: 1, method, params });
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  }

  async calls(requests) {
    const body = requests.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const answers = await this.post(this.http, body);
    return answers.sort((a, b) => a.id - b.id).map((answer) => answer.result);
  }

  async engine(method, params) {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iat: Math.floor(Date.now() / 1000) })}`;
    const token = `${head}.${createHmac('sha256', this.secret).update(head).digest('base64url')}`;
    const answer = await this.post(this.engine_url, { jsonrpc: '2.0', id: 1, method, params },
      { authorization: `Bearer ${token}` });
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  head() { return this.call('eth_getBlockByNumber', ['latest', false]); }

  /// Builds a block on the head from the pool's current content, not yet part of the chain. `salt` makes two blocks
  /// differ.
  async build(salt = 1) {
    const parent = await this.head();
    const zero = '0x' + '00'.repeat(32);
    const attributes = {
      timestamp: hex(BigInt(parent.timestamp) + BigInt(salt)), prevRandao: zero,
      suggestedFeeRecipient: '0x00000000000000000000000000000000000000fe', withdrawals: [], parentBeaconBlockRoot: zero,
    };
    const { payloadId } = await this.engine('engine_forkchoiceUpdatedV3', [this.choice(parent.hash), attributes]);
    await sleep(100); // it improves the block for a while; the first one is empty
    return this.engine('engine_getPayloadV4', [payloadId]);
  }

  choice(hash) {
    return { headBlockHash: hash, safeBlockHash: this.genesis.hash, finalizedBlockHash: this.genesis.hash };
  }

  async adopt(built) {
    const zero = '0x' + '00'.repeat(32);
    const { status } = await this.engine('engine_newPayloadV4',
      [built.executionPayload, [], zero, built.executionRequests]);
    if (status !== 'VALID') throw new Error(`the block is ${status}`);
    await this.engine('engine_forkchoiceUpdatedV3', [this.choice(built.executionPayload.blockHash), null]);
  }
}
