// usage: node example.ts [url]
//
// Needs Node.js 22.18 or newer, and "fencepost demo" running. The API key, if any, is read from FENCEPOST_API_KEY.
// Sends one wei and prints the verdict.
import { Fencepost, isFinal } from "./fencepost.ts";

const client = new Fencepost(process.argv[2], { apiKey: process.env["FENCEPOST_API_KEY"] });

const sent = await client.send({
  submitter: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  requestId: `example-${Date.now()}`, // in production, use an order number: the same one for every retry
  payload: { to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: 1n },
});
console.log(`${sent.txId} is ${sent.state}`);

const mined = await client.wait(sent.txId, "mined");
console.log(`${mined.txHash} is in block ${mined.blockNumber}`);

const settled = await client.wait(sent.txId);
console.log(isFinal(settled) ? `the verdict: ${settled.state}` : `still ${settled.state}: ${settled.error?.detail}`);
process.exitCode = settled.state === "CONFIRMED" ? 0 : 1;
