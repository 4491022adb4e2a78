// usage: node ethers.mjs <url> <key> <token> <refusing contract>
//
// Uses a development chain as an application does, with ethers, which shares no code with us. Exits with 0 when
// everything is as ethers expects.
import { createRequire } from 'node:module';
import { strict as assert } from 'node:assert';
import { fileURLToPath } from 'node:url';

const require = createRequire(fileURLToPath(new URL('../../node/', import.meta.url)));
const { Contract, JsonRpcProvider, Wallet, parseEther } = require('ethers');

const [url, key, token, refusing] = process.argv.slice(2);
// ethers caches answers for a quarter of a second, and the chain is faster.
const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
const wallet = new Wallet(key, provider);
const to = '0x00000000000000000000000000000000000000AA';

assert.equal((await provider.getNetwork()).chainId, 31337n);

const before = await provider.getBalance(to);
const sent = await wallet.sendTransaction({ to, value: parseEther('1') });
const receipt = await sent.wait();
assert.equal(receipt.status, 1);
assert.equal(receipt.gasUsed, 21000n);
assert.equal(await provider.getBalance(to) - before, parseEther('1'));

const found = await provider.getTransaction(sent.hash);
assert.equal(found.from, wallet.address);
assert.equal(found.hash, sent.hash);
assert.equal(found.signature.serialized, sent.signature.serialized);
const block = await provider.getBlock(receipt.blockNumber, true);
assert.equal(block.hash, receipt.blockHash);
assert.deepEqual(block.prefetchedTransactions.map((one) => one.hash), [sent.hash]);
assert.equal((await provider.getBlock(receipt.blockHash)).number, receipt.blockNumber);
assert.equal(await provider.getTransactionReceipt('0x' + '12'.repeat(32)), null);

const erc20 = new Contract(token, ['function transfer(address,uint256) returns (bool)',
  'function balanceOf(address) view returns (uint256)', 'function decimals() view returns (uint8)'], wallet);
assert.equal(await erc20.decimals(), 18n);
const held = await erc20.balanceOf(to);
assert.equal((await (await erc20.transfer(to, 5n)).wait()).status, 1);
assert.equal(await erc20.balanceOf(to) - held, 5n);
await assert.rejects(erc20.transfer(to, parseEther('1000000')), { reason: 'ERC20: transfer amount exceeds balance' });

const other = new Contract(refusing, ['function anything()'], wallet);
await assert.rejects(other.anything(), { code: 'CALL_EXCEPTION', reason: 'no' });
const failed = await other.anything({ gasLimit: 100000n });
await assert.rejects(failed.wait(), { code: 'CALL_EXCEPTION' });
assert.equal((await provider.getTransactionReceipt(failed.hash)).status, 0);

const legacy = await wallet.sendTransaction({ to, value: 1n, type: 0, gasPrice: parseEther('0.00000001') });
assert.equal((await legacy.wait()).status, 1);
assert.equal((await provider.getTransaction(legacy.hash)).type, 0);
const nonce = await wallet.getNonce();
await assert.rejects(wallet.sendTransaction({ to, nonce: nonce - 1 }), { code: 'NONCE_EXPIRED' });
const poor = Wallet.createRandom().connect(provider);
await assert.rejects(poor.sendTransaction({ to, value: 1n, gasLimit: 21000n }), { code: 'INSUFFICIENT_FUNDS' });
provider.destroy();
