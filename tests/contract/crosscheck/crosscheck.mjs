// usage: node crosscheck.mjs (ethers | viem) (check <file> | make <count> <seed> <file>)
//
// The JavaScript side of the cross-check: how ethers or viem decode our transactions, and transactions of theirs for
// us. Each line of a file has a transaction's raw bytes, a blank, and its fields as formatted by describe(). The C++
// side writes and reads the same lines, so every field is compared without a separate schema.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const require = createRequire(fileURLToPath(new URL('../../node/', import.meta.url)));
const ethers = require('ethers');
const viem = require('viem');
const accounts = require('viem/accounts');

const kinds = ['legacy', 'unprotected', 'eip2930', 'eip1559', 'eip4844', 'eip7702'];
const types = { legacy: 0, unprotected: 0, eip2930: 1, eip1559: 2, eip4844: 3, eip7702: 4 };

function describe(tx) {
  const list = (items, one) => `[${(items ?? []).map(one).join(',')}]`;
  const hex = (value) => (value ?? '0x').toLowerCase();
  const number = (value) => BigInt(value ?? 0).toString();
  const address = (value) => (value ? value.toLowerCase() : 'none');
  const word = (value) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
  const parts = [
    `type=${tx.type}`,
    `chain=${tx.type === 0 && !BigInt(tx.chainId ?? 0) ? 'none' : number(tx.chainId)}`,
    `nonce=${number(tx.nonce)}`,
    tx.type < 2 ? `price=${number(tx.gasPrice)}` : `tip=${number(tx.tip)} max=${number(tx.max)}`,
    `gas=${number(tx.gas)}`,
    `to=${address(tx.to)}`,
    `value=${number(tx.value)}`,
    `data=${hex(tx.data)}`,
  ];
  if (tx.type > 0) {
    parts.push(`access=${list(tx.accessList, (e) => address(e.address) + list(e.storageKeys, hex))}`);
  }
  if (tx.type === 3) parts.push(`blobfee=${number(tx.blobFee)} blobs=${list(tx.blobHashes, hex)}`);
  if (tx.type === 4) {
    const authorization = (a) =>
      [number(a.chainId), address(a.address), number(a.nonce), a.yParity, word(a.r), word(a.s)].join(':');
    parts.push(`authorizations=${list(tx.authorizations, authorization)}`);
  }
  parts.push(`parity=${tx.yParity} r=${word(tx.r)} s=${word(tx.s)} sender=${address(tx.sender)} hash=${hex(tx.hash)}`);
  return parts.join(' ');
}

function readByEthers(raw) {
  const tx = ethers.Transaction.from(raw);
  if (tx.serialized !== raw) throw new Error(`ethers writes it back as ${tx.serialized}`);
  return describe({
    type: tx.type, chainId: tx.chainId, nonce: tx.nonce, gasPrice: tx.gasPrice, tip: tx.maxPriorityFeePerGas,
    max: tx.maxFeePerGas, gas: tx.gasLimit, to: tx.to, value: tx.value, data: tx.data, accessList: tx.accessList,
    blobFee: tx.maxFeePerBlobGas, blobHashes: tx.blobVersionedHashes,
    authorizations: tx.authorizationList?.map((a) => ({ ...a, ...signatureOf(a.signature) })),
    ...signatureOf(tx.signature), sender: tx.from, hash: tx.hash,
  });
}

const signatureOf = (signature) => ({ yParity: signature.yParity, r: signature.r, s: signature.s });

async function readByViem(raw) {
  const tx = viem.parseTransaction(raw);
  return describe({
    type: types[tx.type], chainId: tx.chainId, nonce: tx.nonce, gasPrice: tx.gasPrice, tip: tx.maxPriorityFeePerGas,
    max: tx.maxFeePerGas, gas: tx.gas, to: tx.to, value: tx.value, data: tx.data, accessList: tx.accessList,
    blobFee: tx.maxFeePerBlobGas, blobHashes: tx.blobVersionedHashes,
    authorizations: tx.authorizationList?.map((a) => ({ ...a, yParity: a.yParity ?? 0 })),
    // A legacy transaction has only v: 27 or 28, or from 35 on parity and chain id.
    yParity: tx.yParity ?? Number(1n - (tx.v % 2n)), r: tx.r, s: tx.s,
    sender: await viem.recoverTransactionAddress({ serializedTransaction: raw }), hash: viem.keccak256(raw),
  });
}

/// Prints how many of each type were decoded correctly, and reports the others.
async function check(library, file) {
  const counts = {};
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const blank = line.indexOf(' ');
    const raw = line.slice(0, blank);
    const wanted = line.slice(blank + 1);
    let said;
    try { said = await library.read(raw); } catch (error) { said = `an error: ${error.message}`; }
    const verdict = said === wanted ? wanted.slice(0, wanted.indexOf(' ')) : 'wrong';
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    if (said !== wanted && counts.wrong <= 5) console.error(`reads ${raw}\n  as   ${said}\n  not  ${wanted}`);
  }
  console.log(JSON.stringify(counts));
}

// mulberry32: small, and the same on every platform.
function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (bound) => next() % bound;
  const bytes = (count) => `0x${Array.from({ length: count }, () => (next() & 255).toString(16).padStart(2, '0')).join('')}`;
  const integer = (count) => (count === 0 ? 0n : BigInt(bytes(count)));
  return {
    below, bytes,
    wei: () => (below(16) === 0 ? 2n ** 256n - 1n : integer(below(33))),
    gas: () => integer(below(9)),
    safe: () => (below(16) === 0 ? Number.MAX_SAFE_INTEGER : Number(integer(below(7)))),
    data: () => bytes(below(2) === 0 ? [0, 1, 2, 54, 55, 56, 255, 256, 700][below(9)] : below(300)),
    many: (least, bound, one) => Array.from({ length: least + below(bound) }, one),
  };
}

/// The fields as ethers names them; viem differs in one name (gas).
function randomFields(kind, random, keys) {
  const type = types[kind];
  const fields = { type, nonce: random.safe(), gasLimit: random.gas(), value: random.wei(), data: random.data() };
  if (kind !== 'unprotected') fields.chainId = 1 + Math.floor(random.safe() / 4);
  if (type > 2 || random.below(6) !== 0) fields.to = ethers.getAddress(random.bytes(20));
  if (type < 2) fields.gasPrice = random.wei();
  if (type > 0) {
    const entry = () => ({ address: ethers.getAddress(random.bytes(20)), storageKeys: random.many(0, 4, () => random.bytes(32)) });
    fields.accessList = random.below(2) === 0 ? [] : random.many(0, 5, entry);
  }
  if (type > 1) {
    const fees = [random.wei(), random.wei()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    [fields.maxPriorityFeePerGas, fields.maxFeePerGas] = fees;
  }
  if (type === 3) {
    fields.maxFeePerBlobGas = random.wei();
    fields.blobVersionedHashes = random.many(1, 6, () => `0x01${random.bytes(31).slice(2)}`);
  }
  if (type === 4) {
    fields.authorizationList = random.many(1, 3, () => ({
      key: keys[random.below(keys.length)], address: ethers.getAddress(random.bytes(20)), nonce: random.safe(),
      chainId: random.below(4) === 0 ? 0 : random.safe(),
    }));
  }
  return fields;
}

function makeByEthers(_kind, fields, key) {
  const authorizationList = fields.authorizationList?.map(({ key: owner, ...a }) => new ethers.Wallet(owner).authorizeSync(a));
  const tx = ethers.Transaction.from({ chainId: 0, ...fields, authorizationList });
  tx.signature = new ethers.SigningKey(key).sign(tx.unsignedHash);
  return tx.serialized;
}

async function makeByViem(kind, fields, key) {
  const { gasLimit, type, authorizationList: wanted, ...rest } = fields;
  const authorizationList = wanted && await Promise.all(
    wanted.map(({ key: owner, ...a }) => accounts.privateKeyToAccount(owner).signAuthorization(a)));
  const name = kind === 'unprotected' ? 'legacy' : kind;
  return accounts.privateKeyToAccount(key).signTransaction(
    { ...rest, type: name, gas: gasLimit, ...(authorizationList && { authorizationList }) });
}

async function make(library, count, seed, file) {
  const random = randomOf(seed);
  const keys = Array.from({ length: 8 }, (_, i) => ethers.keccak256(new Uint8Array([i])));
  const lines = [];
  for (const kind of kinds) {
    for (let i = 0; i < count; ++i) {
      const raw = await library.make(kind, randomFields(kind, random, keys), keys[i % keys.length]);
      lines.push(`${raw} ${await library.read(raw)}`);
    }
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const libraries = {
  ethers: { read: readByEthers, make: makeByEthers },
  viem: { read: readByViem, make: makeByViem },
};
const [name, what, ...rest] = process.argv.slice(2);
const library = libraries[name];
if (library && what === 'check' && rest.length === 1) {
  await check(library, rest[0]);
} else if (library && what === 'make' && rest.length === 3) {
  await make(library, Number(rest[0]), Number(rest[1]), rest[2]);
} else {
  console.error('usage: node crosscheck.mjs (ethers | viem) (check <file> | make <count> <seed> <file>)');
  process.exitCode = 2;
}
