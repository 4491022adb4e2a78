// usage: node abi.mjs <file>
//
// Encodes the calls in a file with ethers: each line has a signature, its arguments as JSON and our encoding, separated
// by tabs. Prints the number of equal and different encodings, and the first few differences.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const require = createRequire(fileURLToPath(new URL('../../node/', import.meta.url)));
const ethers = require('ethers');

function encode(signature, values) {
  const contract = new ethers.Interface([signature.startsWith('function ') ? signature : `function ${signature}`]);
  const [fragment] = contract.fragments;
  return contract.encodeFunctionData(fragment, JSON.parse(values));
}

if (process.argv.length !== 3) {
  console.error('usage: node abi.mjs <file>');
  process.exit(2);
}
const counts = { same: 0, wrong: 0 };
for (const line of readFileSync(process.argv[2], 'utf8').trimEnd().split('\n')) {
  const [signature, values, ours] = line.split('\t');
  let theirs;
  try { theirs = encode(signature, values); } catch (error) { theirs = `an error: ${error.message}`; }
  counts[theirs === ours ? 'same' : 'wrong'] += 1;
  if (theirs !== ours && counts.wrong <= 5) console.error(`${signature} ${values}\n  ours   ${ours}\n  theirs ${theirs}`);
}
console.log(JSON.stringify(counts));
