// usage: node record.mjs <geth> <folder> [trace…]
//        node record.mjs --list
//
// Plays the scripts of scripts.mjs to a real geth and records its answers and the content of its pool after each step,
// in <folder>/<trace>.json. Blocks are made only when a script says so, and each step waits until the pool is idle, so
// a script always produces the same trace.
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Geth, sleep } from './geth.mjs';
import { scripts } from './scripts.mjs';

const require = createRequire(fileURLToPath(new URL('../../node/', import.meta.url)));
const { Wallet, getBytes } = require('ethers');

const code = '0x00000000000000000000000000000000000000cd';
const wallet = (account) => new Wallet('0x' + (account + 1).toString(16).padStart(64, '0'));

// "0-2@10/1" for nonces 0 to 2 with a maximum of 10 wei and a tip of 1 wei.
function describe(transactions) {
  const runs = [];
  for (const tx of transactions) {
    const [nonce, price] = [Number(tx.nonce), `${BigInt(tx.maxFeePerGas)}/${BigInt(tx.maxPriorityFeePerGas)}`];
    const last = runs.at(-1);
    if (last && last.price === price && last.to === nonce - 1) last.to = nonce;
    else runs.push({ from: nonce, to: nonce, price });
  }
  return runs.map(({ from, to, price }) => `${from === to ? from : `${from}-${to}`}@${price}`).join(' ');
}

class Recording {
  constructor(geth, script) {
    this.geth = geth;
    this.script = script;
    this.told = {};
    this.counts = script.accounts.map(() => 0);
    this.addresses = script.accounts.map((_, account) => wallet(account).address);
  }

  async sign(wish) {
    const authorizations = [];
    for (const account of wish.authorizations ?? []) {
      authorizations.push(await wallet(account).authorize({ address: code, chainId: 1337, nonce: 0 }));
    }
    return wallet(wish.from).signTransaction({
      type: authorizations.length > 0 ? 4 : 2, chainId: 1337, nonce: wish.nonce, gasLimit: wish.gas ?? 21_000,
      maxFeePerGas: BigInt(wish.max_fee), maxPriorityFeePerGas: BigInt(wish.tip), value: BigInt(wish.value ?? 0),
      to: '0x00000000000000000000000000000000000000aa', data: '0x' + '00'.repeat(wish.zeros ?? 0),
      ...(authorizations.length > 0 ? { authorizationList: authorizations } : {}),
    });
  }

  async look() {
    const [content, ...counts] = await this.geth.calls([
      ['txpool_content', []], ...this.addresses.map((address) => ['eth_getTransactionCount', [address, 'pending']]),
    ]);
    const part = (of, address) => {
      const txs = Object.values(of[address] ?? {});
      return describe(txs.sort((a, b) => Number(a.nonce) - Number(b.nonce)));
    };
    const accounts = {};
    this.addresses.forEach((address, account) => {
      const [pending, queued] = [part(content.pending, address), part(content.queued, address)];
      const count = this.counts[account] = Number(counts[account]);
      accounts[account] = `${count}, pending ${pending || '-'}, queued ${queued || '-'}`;
    });
    return accounts;
  }

  /// The pool's background work takes less than a millisecond here.
  async look_when_quiet(least_ms) {
    await sleep(least_ms);
    let seen = await this.look();
    for (let same = 0; same < 2;) {
      await sleep(4);
      const now = await this.look();
      same = JSON.stringify(now) === JSON.stringify(seen) ? same + 1 : 0;
      seen = now;
    }
    return seen;
  }

  /// Facts of the current head; only for accounts that changed.
  async facts() {
    const head = await this.geth.head();
    const fees = await this.geth.call('eth_feeHistory', ['0x1', 'latest', []]);
    const accounts = {};
    for (const [account, address] of this.addresses.entries()) {
      const [nonce, balance, bytes] = await this.geth.calls([
        ['eth_getTransactionCount', [address, 'latest']], ['eth_getBalance', [address, 'latest']],
        ['eth_getCode', [address, 'latest']],
      ]);
      const now = { nonce: Number(nonce), balance: BigInt(balance).toString(), delegated: bytes !== '0x' };
      if (JSON.stringify(this.told[account]) !== JSON.stringify(now)) accounts[account] = this.told[account] = now;
    }
    return { gas_limit: Number(head.gasLimit), next_base_fee: Number(fees.baseFeePerGas.at(-1)), accounts };
  }

  async send(wish) {
    const raw = await this.sign(wish);
    const { result, error } = await this.geth.post(this.geth.http,
      { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
    return { answer: result ? 'success' : error.message, bytes: getBytes(raw).length };
  }

  async play(step) {
    if (step.send) return { ...(await this.send(step.send)), pool: await this.look_when_quiet(2) };
    if (step.block) {
      await this.geth.adopt(await this.geth.build());
    } else if (step.prepare) {
      this.prepared = await this.geth.build(2);
      return { pool: await this.look_when_quiet(2) };
    } else if (step.reorg) {
      await this.geth.adopt(this.prepared);
    } else if (step.recheck) {
      await sleep(Math.max(0, this.geth.started_at + 13_000 - Date.now()));
      return { pool: await this.look_when_quiet(50) };
    } else throw new Error(`what is ${JSON.stringify(step)}?`);
    const pool = await this.look_when_quiet(100);
    return { head: await this.facts(), pool };
  }

  async run() {
    const lines = [];
    const line = (value) => lines.push('    ' + JSON.stringify(value));
    let before = await this.look();
    const facts = await this.facts();
    const { steps } = this.script;
    for (const step of typeof steps === 'function' ? steps(this.counts) : steps) {
      const { pool, ...told } = await this.play(step);
      // Only for accounts that changed.
      const changed = Object.fromEntries(Object.entries(pool).filter(([account, is]) => before[account] !== is));
      before = pool;
      line({ ...step, ...told, pool: changed });
    }
    const { about, locals = false, pool = {} } = this.script;
    return `{\n  "about": ${JSON.stringify(about)},\n  "locals": ${locals},\n  "pool": ${JSON.stringify(pool)},\n`
      + `  "head": ${JSON.stringify(facts)},\n  "steps": [\n${lines.join(',\n')}\n  ]\n}\n`;
  }
}

const [program, folder, ...wanted] = process.argv.slice(2);
if (program === '--list') {
  console.log(Object.keys(scripts).join('\n'));
  process.exit();
}
for (const [name, script] of Object.entries(scripts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const flags = Object.entries(script.pool ?? {}).map(([key, value]) => `--txpool.${key.replace('_', '')}=${value}`);
  if (!script.locals) flags.push('--txpool.nolocals');
  flags.push('--miner.gasprice', String(script.mined_from ?? 1));
  const alloc = {};
  script.accounts.forEach(({ balance, delegated }, account) => {
    alloc[wallet(account).address.slice(2)] =
      { balance, ...(delegated ? { code: '0xef0100' + code.slice(2) } : {}) };
  });
  const geth = await Geth.start(program, flags, alloc);
  try {
    writeFileSync(join(folder, `${name}.json`), await new Recording(geth, script).run());
    console.log(name);
  } finally {
    geth.stop();
  }
}
