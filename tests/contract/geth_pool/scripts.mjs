// The scripts that record.mjs plays to geth. Prices are chosen so that geth's decisions never depend on the order of
// its hash tables: where it decides by price, no two transactions of equal nonce cost the same.
const gwei = 1_000_000_000;
const ether = 10n ** 18n;
const rich = (count) => Array.from({ length: count }, () => ({ balance: (1000n * ether).toString() }));

// Not mined while blocks require tips from 5 gwei; `dear` ones are.
const send = (from, nonce, price = 3, more = {}) =>
  ({ send: { from, nonce, max_fee: price * gwei, tip: Math.min(price, 2) * gwei, ...more } });
const dear = (from, nonce, price = 50) =>
  ({ send: { from, nonce, max_fee: price * gwei, tip: 10 * gwei } });
const all = (nonces, make) => nonces.map(make);
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const block = { block: true };

// The same numbers on every machine.
function* numbers(seed) {
  for (let x = seed; ;) {
    x ^= x << 13; x ^= x >>> 17; x ^= x << 5;
    yield (x >>> 0);
  }
}

const small = { global_slots: 8, global_queue: 4, account_slots: 2, account_queue: 3 };
const tiny = { global_slots: 4, global_queue: 2, account_slots: 1, account_queue: 2 };

// Chooses each step from the state after the previous ones: `counts` are the accounts' pending counts.
function* random_steps(seed, count, accounts, counts) {
  const draw = numbers(seed);
  const below = (n) => draw.next().value % n;
  const sent = [];
  for (let i = 0; i < count; ++i) {
    if (below(40) === 0) { yield block; continue; }
    if (sent.length > 0 && below(12) === 0) { yield sent[below(sent.length)]; continue; }
    const from = below(accounts);
    const kind = below(20);
    const next = counts[from];
    const nonce = kind < 14 ? next : kind < 17 ? Math.max(0, next - 1 - below(3)) : next + 1 + below(3);
    const price = 3 * gwei + below(8) * gwei + Math.floor(i / 8) * gwei + i; // no two are equal, and they rise
    const step = { send: { from, nonce, max_fee: price, tip: below(4) === 0 ? price : 2 * gwei + i } };
    sent.push(step);
    yield step;
  }
}

export const scripts = {
  plain_rules: {
    about: 'What a default pool says to single transactions, and where it puts them.',
    accounts: [...rich(3), { balance: (ether / 100n).toString() }],
    mined_from: 5 * gwei,
    steps: [
      send(0, 0), send(0, 0), send(0, 2), send(0, 1), send(0, 5, 3), send(0, 5, 4), send(0, 3), send(0, 4),
      send(1, 0, 100, { tip: 20 * gwei }), send(1, 0, 110, { tip: 20 * gwei }), send(1, 0, 100, { tip: 22 * gwei }),
      send(1, 0, 109, { tip: 22 * gwei }), send(1, 0, 110, { tip: 22 * gwei }), send(1, 0, 100, { tip: 20 * gwei }),
      send(1, 7, 100, { tip: 20 * gwei }), send(1, 7, 105, { tip: 22 * gwei }), send(1, 7, 110, { tip: 22 * gwei }),
      send(0, 6, 3, { tip: 0 }), send(0, 6, 3, { gas: 20_999 }),
      send(0, 6, 3, { gas: 30_000_001 }), send(0, 6, 3, { zeros: 40, gas: 21_159 }),
      // 0.01 ether: of the queued transactions only pending ones count.
      send(3, 0, 3, { value: String(ether / 200n) }), send(3, 1, 3, { value: String(ether / 200n) }),
      send(3, 2, 3, { value: String(ether / 200n) }), send(3, 3, 3, { value: String(ether / 200n) }),
      send(3, 0, 4, { tip: 3 * gwei, value: String(ether / 100n) }), send(3, 1, 3, { value: '1' }),
      send(3, 0, 5, { tip: 4 * gwei, value: '1' }), send(3, 0, 400, { tip: 4 * gwei, value: '1' }),
      send(3, 9, 3, { value: String(ether) }),
      block, send(1, 0, 200, { tip: 50 * gwei }), send(1, 1), send(0, 6), block,
      dear(2, 0), dear(2, 1), block, dear(2, 1), dear(2, 3), dear(2, 4), block, dear(2, 2), block,
    ],
  },
  account_queue: {
    about: 'An account keeps 64 out of order; what can be promoted is promoted first.',
    accounts: rich(2),
    mined_from: 5 * gwei,
    steps: [
      ...all(range(1, 70), (nonce) => send(0, nonce)), send(0, 80), send(0, 65), send(0, 0), send(0, 65), send(0, 66),
      ...all(range(68, 75), (nonce) => send(0, nonce)), block, send(0, 67), send(1, 0), block,
    ],
  },
  full_pool: {
    about: 'A full pool goes by price alone; on equal price the higher nonce goes, whoever\'s it is.',
    accounts: rich(12),
    mined_from: 5 * gwei,
    pool: small,
    steps: [
      ...all(range(0, 5), (nonce) => send(0, nonce)), ...all(range(0, 1), (nonce) => send(1, nonce, 4)),
      ...all(range(5, 7), (nonce) => send(2, nonce)), send(3, 9),
      send(4, 0), send(4, 0, 2), send(4, 1, 10), send(4, 0, 10, { tip: 3 * gwei }),
      send(4, 1, 10, { tip: 3 * gwei }), send(5, 0, 11, { tip: 3 * gwei }), send(5, 1, 11, { tip: 3 * gwei }),
      send(6, 0, 12, { tip: 3 * gwei }), send(7, 5, 13, { tip: 3 * gwei }), send(0, 5), send(0, 2), send(0, 1),
      block, send(8, 0, 30, { tip: 4 * gwei }), send(8, 1, 31, { tip: 4 * gwei }), send(8, 2, 32, { tip: 4 * gwei }),
      dear(9, 0), dear(9, 1), dear(9, 2), send(10, 0, 12, { tip: 3 * gwei }), block, send(0, 0), send(1, 2), block,
    ],
  },
  truncation: {
    about: 'Pending ones are cut back from the largest accounts, the queue from those that are quiet the longest.',
    accounts: rich(8),
    mined_from: 5 * gwei,
    pool: { global_slots: 12, global_queue: 8, account_slots: 3, account_queue: 6 },
    steps: [
      ...all(range(0, 6), (nonce) => send(0, nonce)), ...all(range(0, 3), (nonce) => send(1, nonce)),
      send(2, 0), send(2, 1), send(2, 2), send(2, 3), send(2, 4),
      send(3, 0), send(3, 1), send(4, 0), send(4, 1), send(5, 0), send(5, 1),
      ...all([9, 10, 11], (nonce) => send(6, nonce)), ...all([5, 6, 7], (nonce) => send(7, nonce)),
      send(3, 7), send(3, 8), send(3, 9), block, send(5, 5), send(5, 6),
    ],
  },
  random_small: {
    about: 'Six accounts and a small pool, by chance; no two prices are equal.',
    accounts: rich(6),
    mined_from: 1000 * gwei,
    pool: small,
    steps: (counts) => random_steps(20, 200, 6, counts),
  },
  random_tiny: {
    about: 'Four accounts and a tiny pool, by chance; blocks take what they can.',
    accounts: rich(4),
    mined_from: 1,
    pool: tiny,
    steps: (counts) => random_steps(77, 160, 4, counts),
  },
  delegated: {
    about: 'One in flight for an account with code and for one with an authorization that waits (EIP-7702).',
    accounts: [{ balance: ether.toString(), delegated: true }, ...rich(4)],
    mined_from: 5 * gwei,
    steps: [
      send(0, 1), send(0, 0), send(0, 1), send(0, 2), send(0, 0, 10, { tip: 3 * gwei }), send(0, 0, 10),
      send(1, 0), send(2, 0, 3, { gas: 100_000, authorizations: [1] }), send(1, 1), send(1, 0, 10, { tip: 3 * gwei }),
      send(3, 0), send(3, 1), send(4, 0, 3, { gas: 100_000, authorizations: [3] }), send(3, 2),
      { send: { from: 2, nonce: 0, max_fee: 50 * gwei, tip: 10 * gwei, gas: 100_000, authorizations: [] } }, send(1, 1),
      block, send(1, 2), dear(0, 0, 60), block, send(0, 2), send(0, 1),
    ],
  },
  hidden_refusals: {
    about: 'Success for what a full pool refuses for now; the node adds it again 10 s after its start.',
    accounts: [{ balance: ether.toString(), delegated: true }, ...rich(6)],
    mined_from: 5 * gwei,
    locals: true,
    pool: { global_slots: 4, global_queue: 2, account_slots: 4, account_queue: 2 },
    steps: [
      send(0, 1), dear(1, 0), dear(1, 1), dear(2, 0), dear(2, 1), send(3, 5, 30, { tip: 3 * gwei }),
      send(3, 6, 31, { tip: 3 * gwei }), send(4, 0, 3), send(4, 1, 3), send(4, 0, 3, { tip: 0 }), send(1, 0, 3),
      block, send(5, 9, 3), { recheck: true },
    ],
  },
  reorg: {
    about: 'What a lost block held waits again.',
    accounts: rich(3),
    mined_from: 5 * gwei,
    steps: [
      dear(0, 0), block, { prepare: true }, dear(0, 1), dear(0, 2), dear(1, 0), block, send(0, 3), send(0, 5),
      send(1, 1), dear(1, 2), { reorg: true }, block, block,
    ],
  },
};
