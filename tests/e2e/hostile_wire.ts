// Bytes that no HTTP client sends, and the required status for each; 0 means that the connection is closed.

export type HostileWire = { name: string; bytes: string; statuses: number[] };

const host = "Host: 127.0.0.1\r\n";
/** Of a request that has no more to say than where to. */
const rest = `HTTP/1.1\r\n${host}\r\n`;
const post = (fields: string, body = "") =>
  `POST /api/v1/tx HTTP/1.1\r\n${host}Content-Type: application/json\r\n${fields}\r\n${body}`;
const chunked = (chunks: string) => post("Transfer-Encoding: chunked\r\n", chunks);

const lengths: HostileWire[] = [
  { name: "a length of 2^64", bytes: post("Content-Length: 18446744073709551616\r\n"), statuses: [400, 413] },
  { name: "a negative length", bytes: post("Content-Length: -1\r\n"), statuses: [400] },
  { name: "two lengths", bytes: post("Content-Length: 2\r\nContent-Length: 3\r\n", "{} "), statuses: [400] },
  {
    name: "a length and chunks",
    bytes: post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    statuses: [400],
  },
  { name: "a chunk of 2^64", bytes: chunked("10000000000000000\r\n"), statuses: [400, 413] },
  { name: "a negative chunk", bytes: chunked("-1\r\n\r\n"), statuses: [400] },
  { name: "a chunk longer than it says", bytes: chunked("2\r\nabcdef\r\n0\r\n\r\n"), statuses: [400] },
  { name: "an unknown coding", bytes: post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), statuses: [400] },
];

const heads: HostileWire[] = [
  { name: "a hundred thousand fields", bytes: post("X: y\r\n".repeat(100_000)), statuses: [431] },
  { name: "a field of 1 MB", bytes: post(`X: ${"y".repeat(1_000_000)}\r\n`), statuses: [431] },
  { name: "a path of 1 MB", bytes: `GET /${"x".repeat(1_000_000)} ${rest}`, statuses: [431] },
  { name: "trailers without end", bytes: chunked("0\r\n" + "X: y\r\n".repeat(100_000)), statuses: [400, 431] },
  { name: "a field without a colon", bytes: post("Nonsense\r\n"), statuses: [400] },
  { name: "a zero byte in a field", bytes: post("X: a\0b\r\n"), statuses: [400] },
  { name: "line feeds alone", bytes: "GET /livez HTTP/1.1\nHost: a\n\n", statuses: [400] },
  { name: "no host", bytes: "GET /livez HTTP/1.1\r\n\r\n", statuses: [400] },
  { name: "two hosts", bytes: `GET /livez HTTP/1.1\r\n${host}${host}\r\n`, statuses: [400] },
];

const firstLines: HostileWire[] = [
  { name: "HTTP/0.9", bytes: "GET /livez\r\n\r\n", statuses: [400] },
  { name: "HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: [400] },
  { name: "a handshake of TLS", bytes: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc" + "Z".repeat(500), statuses: [400] },
  { name: "another protocol", bytes: "EHLO example.org\r\n", statuses: [400] },
  { name: "only zeros", bytes: "\0".repeat(10_000), statuses: [400] },
  { name: "a target that is not UTF-8", bytes: `GET /\xff\xfe ${rest}`, statuses: [400] },
  { name: "a way out", bytes: `GET /../../etc/passwd ${rest}`, statuses: [400, 404] },
  { name: "a tunnel", bytes: `CONNECT example.org:443 ${rest}`, statuses: [400, 404, 405] },
];

/** Each is answered at once. */
export const quickOnes = [...lengths, ...heads, ...firstLines];

const tenMegabytes = "x".repeat(10_000_000);
export const largeOnes: HostileWire[] = [
  { name: "ten megabytes", bytes: post("Content-Length: 10000000\r\n", tenMegabytes), statuses: [413] },
  { name: "ten megabytes in a chunk", bytes: chunked(`989680\r\n${tenMegabytes}\r\n0\r\n\r\n`), statuses: [413] },
  { name: "ten megabytes in small chunks", bytes: chunked("4\r\nabcd\r\n".repeat(1_000_000)), statuses: [413] },
];
