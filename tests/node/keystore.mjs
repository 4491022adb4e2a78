// ethers as the other reader and writer of key files.
//   keystore.mjs make FOLDER PASSWORD_FILE   writes key files of several strengths, prints {file: key} as JSON
//   keystore.mjs open PASSWORD_FILE FILE…    prints {file: {address, key}} as JSON
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Wallet, decryptKeystoreJsonSync, encryptKeystoreJsonSync } from "ethers";

const password = (file) => readFileSync(file, "utf8").trimEnd();

function make(folder, passwordFile) {
  const costs = [...Array(10).fill({ N: 1024, r: 8, p: 1 }), { N: 4096, r: 8, p: 6 }, { N: 131072, r: 8, p: 1 }];
  const keys = {};
  costs.forEach((scrypt, index) => {
    const { address, privateKey } = Wallet.createRandom();
    const file = join(folder, `${index}.json`);
    writeFileSync(file, encryptKeystoreJsonSync({ address, privateKey }, password(passwordFile), { scrypt }));
    keys[file] = privateKey;
  });
  return keys;
}

function open(passwordFile, ...files) {
  const keys = {};
  for (const file of files) {
    const { address, privateKey } = decryptKeystoreJsonSync(readFileSync(file, "utf8"), password(passwordFile));
    keys[file] = { address, key: privateKey };
  }
  return keys;
}

const [command, ...rest] = process.argv.slice(2);
console.log(JSON.stringify({ make, open }[command](...rest)));
