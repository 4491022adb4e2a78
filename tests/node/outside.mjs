// Somebody else who has the key, with tools of their own: ethers.
//   outside.mjs URL KEY NONCE TIP_GWEI   sends a transfer of 7 wei with this nonce, prints its hash
import { JsonRpcProvider, Wallet, parseUnits } from "ethers";

const [url, key, nonce, tip] = process.argv.slice(2);
const provider = new JsonRpcProvider(url);
const price = parseUnits(tip, "gwei");
const { hash } = await new Wallet(key, provider).sendTransaction({
  to: "0x00000000000000000000000000000000000000bb",
  value: 7n,
  nonce: Number(nonce),
  gasLimit: 21000n,
  maxFeePerGas: price + parseUnits("2", "gwei"),
  maxPriorityFeePerGas: price,
});
console.log(hash);
provider.destroy();
