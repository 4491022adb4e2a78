// Requests that no honest client sends, and the required response to each.

export type Hostile = { name: string; body: string | Blob; status: number; type: string };

export function hostileBodies(submitter: string): Hostile[] {
  const to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
  const request = (payload: object, more: object = {}) =>
    JSON.stringify({ submitter, requestId: "hostile", payload: { to, ...payload }, ...more });
  const good = request({ value: "1" });
  const invalid = (name: string, body: string | Blob): Hostile => ({
    name,
    body,
    status: 422,
    type: "invalid-request",
  });
  return [
    invalid("no JSON", "hello"),
    invalid("half of it", good.slice(0, -10)),
    invalid("more after it", `${good} {}`),
    invalid("a list", "[]"),
    invalid("null", "null"),
    invalid("nothing in it", "{}"),
    invalid("a thousand levels", "[".repeat(1000) + "]".repeat(1000)),
    invalid("a hundred thousand levels", '{"a":'.repeat(100_000)),
    invalid("a key twice", good.replace('"value":"1"', '"value":"1","value":"2"')),
    invalid("bytes that are not UTF-8", new Blob([good.slice(0, -3), new Uint8Array([0xff, 0xfe]), '"}}'])),
    invalid("a lone surrogate", good.replace("hostile", "\\ud800")),
    invalid("a NUL in the request id", good.replace("hostile", "a\\u0000b")),
    invalid("a request id without an end", good.replace("hostile", "x".repeat(10_000))),
    invalid("an empty request id", good.replace("hostile", "")),
    invalid("a negative amount", request({ value: "-1" })),
    invalid("a negative number", request({ value: -1 })),
    invalid("a fraction", request({ value: 0.5 })),
    invalid("an exponent", good.replace('"1"', "1e18")),
    invalid("2^256", request({ value: (2n ** 256n).toString() })),
    invalid("a thousand digits", request({ value: "9".repeat(1000) })),
    invalid("a gas limit beyond 64 bits", request({ gas: (2n ** 64n).toString() })),
    invalid("an address too short", request({ to: to.slice(0, -1) })),
    invalid("a wrong checksum", request({ to: to.replace("F79", "f79") })),
    invalid("an unknown field", request({ vlaue: "1" })),
    invalid("an unknown field outside", request({}, { priority: "high" })),
    invalid("data and a call", request({ data: "0x", abi: "f()", args: [] })),
    invalid("half a byte", request({ data: "0x123" })),
    invalid("a call that does not fit its signature", request({ abi: "transfer(address,uint256)", args: [to] })),
    invalid("a signature that is none", request({ abi: "transfer(((", args: [] })),
    invalid("an unknown chain", good.replace("eip155:31337", "eip155:999999")),
    invalid("no submitter", JSON.stringify({ requestId: "x", payload: { to } })),
    invalid("a deployment of nothing", JSON.stringify({ submitter, requestId: "x", payload: {} })),
    invalid("a time that there is not", request({ validUntil: "2026-13-45T99:00:00Z" })),
    { name: "a nonce", body: request({ nonce: 7 }), status: 422, type: "nonce-not-accepted" },
    { name: "a nonce outside", body: request({}, { nonce: "0x7" }), status: 422, type: "nonce-not-accepted" },
    {
      name: "ten megabytes",
      body: request({ data: "0x" + "00".repeat(5_000_000) }),
      status: 413,
      type: "body-too-large",
    },
  ];
}

/** Invalid GET requests. */
export const hostileTargets: [string, number][] = [
  ["/api/v1/tx/not-a-uuid", 422],
  ["/api/v1/tx/019a8d1e-7c40-7b1f-9d55-3f6f1a2b4c5d", 404],
  ["/api/v1/tx/019a8d1e-7c40-7b1f-9d55-3f6f1a2b4c5d/history", 404],
  ["/api/v1/tx/%zz", 400],
  ["/api/v1/tx?limit=0", 422],
  ["/api/v1/tx?limit=99999999999999999999", 422],
  ["/api/v1/tx?state=LOST", 422],
  ["/api/v1/tx?order=up", 422],
  ["/api/v1/tx?after=%00", 400],
  ["/api/v1/tx?after=x", 422],
  ["/api/v1/tx?colour=red", 422],
  ["/api/v1/tx/by-request?submitter=x&requestId=y", 422],
  ["/api/v1/tx/by-request", 422],
  ["/api/v1/submitters/unknown", 422],
  ["/api/v1/submitters?limit=x", 422],
  ["/api/v1/chains?colour=red", 422],
  ["/api/v1/cluster?colour=red", 422],
];
