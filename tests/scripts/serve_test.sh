#!/usr/bin/env bash
# usage: serve_test.sh <fencepost>
#
# Calls the program as a user or a supervisor would: starts it, queries it, stops it, and gets its usage wrong.
set -euo pipefail
fencepost=$1

work=$(mktemp -d)
server=
trap 'if [[ -n $server ]]; then kill -9 "$server" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

fail() { echo "FAILED: $*" >&2; cat "$work"/* >&2; exit 1; }

# wait_for_line: until the server, which is in the background, has said its first line, which it writes in one go.
wait_for_line() {
  for _ in $(seq 600); do
    [[ ! -s $work/server.out ]] || return 0
    kill -0 "$server" 2>/dev/null || fail "the server ended by itself"
    sleep 0.1
  done
  fail "the server said nothing"
}

# start <address> <flags…>: runs the server in the background; $server is its process, $url what its first line says.
start() {
  : >"$work/server.out"
  "$fencepost" serve --listen "$@" >"$work/server.out" 2>"$work/server.err" &
  server=$!
  wait_for_line
  [[ "$(head -n 1 "$work/server.out")" =~ ^fencepost\ [0-9.]+\ serving\ on\ (http://[^ ]+)\ \(Ctrl-C\ to\ stop\)$ ]] ||
    fail "the first line is not what was promised"
  url=${BASH_REMATCH[1]}
}

# stop <signal>: the server ends with 0, having said nothing more.
stop() {
  local code=0
  kill "-$1" "$server"
  wait "$server" || code=$?
  server=
  [[ $code -eq 0 ]] || fail "SIG$1 ended the server with $code, not 0"
  [[ ! -s $work/server.err ]] || fail "the server wrote to stderr"
  [[ $(wc -l <"$work/server.out") -eq 1 ]] || fail "the server wrote more than one line"
}

# expect <exit code> <text on stderr> <arguments…>
expect() {
  local wanted=$1 text=$2 code=0
  shift 2
  timeout 20 "$fencepost" "$@" >"$work/out" 2>"$work/err" || code=$?
  [[ $code -eq $wanted ]] || fail "\"fencepost $*\" ended with $code, not $wanted"
  grep -qF -- "$text" "$work/err" || fail "\"fencepost $*\" did not say \"$text\""
  [[ ! -s $work/out ]] || fail "\"fencepost $*\" wrote to stdout"
}

# status <curl's arguments…>: what the server answers.
status() { curl -gsS --max-time 30 -o /dev/null -w '%{http_code}' "$@"; }

for address in 127.0.0.1:0 '[::1]:0'; do
  start "$address"
  [[ $url != *:0 ]] || fail "the line names port 0, not the real one"
  [[ "$(curl -gsS --max-time 30 "$url/livez")" == '{"status":"ok"}' ]] || fail "/livez does not answer"
  [[ "$(curl -gsS --max-time 30 -o /dev/null -w '%{http_code} %{content_type}' "$url/no-such-path")" == \
    "404 application/problem+json" ]] || fail "an unknown path is not a problem document"
  stop TERM
done

# As many connections as are allowed must be possible, whatever the shell allowed at first.
: >"$work/server.out"
(ulimit -Sn 128 && exec "$fencepost" serve --listen 127.0.0.1:0 >"$work/server.out" 2>"$work/server.err") &
server=$!
wait_for_line
[[ $(prlimit --pid "$server" --nofile --output SOFT --noheadings) == $(ulimit -Hn) ]] ||
  fail "the limit on open files was not raised"
stop TERM

# Without keys every program of this machine may call, but no web page of another origin.
start 127.0.0.1:0
[[ $(status "$url/api/v1/cluster") == 200 ]] || fail "a node without keys does not answer"
[[ $(status -H 'Host: evil.example' "$url/api/v1/cluster") == 403 ]] || fail "it accepts another host name"
[[ $(status -H 'Host: evil.example' "$url/livez") == 200 ]] || fail "/livez does not answer to any name"
[[ $(status -X POST -H 'Origin: https://evil.example' "$url/api/v1/submitters/x/pause") == 403 ]] ||
  fail "a page of another origin may pause"
stop TERM

# Without a key there are no metrics, unless they are open; and a request needs an id, unless that is optional.
"$fencepost" apikey new --keys "$work/keys.yaml" --name shop --scope write >"$work/key"
key=$(grep -o 'fp_[0-9a-f]*' "$work/key")
# post: an empty transaction, whose answer says all that is missing.
post() { curl -gsS --max-time 30 -H "X-Api-Key: $key" -H 'Content-Type: application/json' -d '{}' "$url/api/v1/tx"; }
start 127.0.0.1:0 --log.level alert --api.keysFile "$work/keys.yaml"
[[ $(status "$url/metrics") == 401 ]] || fail "/metrics asks for no key"
[[ $(status -H "X-Api-Key: $key" "$url/metrics") == 200 ]] || fail "/metrics does not take a key"
[[ "$(post)" == *'"field":"requestId"'* ]] || fail "a request needs no id"
stop TERM
start 127.0.0.1:0 --log.level alert --api.keysFile "$work/keys.yaml" --api.openMetrics --api.requireRequestId=false
[[ $(status "$url/metrics") == 200 ]] || fail "api.openMetrics does not open /metrics"
[[ $(status "$url/api/v1/cluster") == 401 ]] || fail "api.openMetrics opens more than /metrics"
[[ "$(post)" == *'"field":"submitter"'* ]] || fail "an empty transaction is not refused"
[[ "$(post)" != *'"field":"requestId"'* ]] || fail "a request needs an id although api.requireRequestId is false"
stop TERM

# A node is ready without a chain, and with one of which no block was heard yet; and a submitter's policy holds at the
# door already.
start 127.0.0.1:0
[[ $(status "$url/readyz") == 200 ]] || fail "a node that lacks nothing is not ready"
stop TERM
# The first account that every chain for development funds.
echo ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 >"$work/dev-key"
chmod 600 "$work/dev-key"
cat >"$work/config.yaml" <<EOF
database.url: "$work/.policy.db"
log.level: alert
http.maxRequests: 2
chains: {dev: {id: 31337, rpc.url: "http://127.0.0.1:1"}}
signers: {dev: {kind: development, keyFile: "$work/dev-key"}}
submitters:
  hot: {account: "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", policy.maxValue: 5}
EOF
# pay <wei>
pay() {
  local payload='{"to":"0x00000000000000000000000000000000000000cc","value":"'"$1"'"}'
  local from='"submitter":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"'
  curl -gsS --max-time 30 -H 'Content-Type: application/json' "$url/api/v1/tx" \
    -d "{$from,\"requestId\":\"$1\",\"payload\":$payload}"
}
start 127.0.0.1:0 --config "$work/config.yaml"
[[ $(status "$url/readyz") == 200 ]] || fail "accepting needs a block to be heard of"
for _ in $(seq 100); do
  health=$(curl -gsS --max-time 30 "$url/readyz")
  [[ $health != *'"able":false'* ]] || break
  sleep 0.1
done
[[ $health == *'"able":false'*'"cause":"no_head"'* ]] || fail "/readyz does not tell of the chain: $health"
[[ "$(pay 6)" == *policy-refused* ]] || fail "the policy of a submitter is not asked"
paid=$(pay 5)
[[ $paid == *'"state":"QUEUED"'* ]] || fail "what the policy allows is refused"

# Who waits for a transaction takes half of the places, and the others are served. Which of the two comes first is not
# known: who waits long comes again until it has the place.
tx=$url/api/v1/tx/$(grep -oE '"txId":"[0-9a-f-]+"' <<<"$paid" | cut -d'"' -f4)
while [[ $(status --max-time 90 "$tx?wait=60s") == 503 ]]; do :; done 2>/dev/null &
waiter=$!
for _ in $(seq 100); do
  waited=$(status "$tx?wait=100ms")
  [[ $waited == 200 ]] || break
done
[[ $waited == 503 ]] || fail "more may wait than half of the requests at once"
[[ $(status "$tx") == 200 ]] || fail "those who wait keep others out"
stop TERM
wait "$waiter"

start 127.0.0.1:0
expect 1 "another program already listens on it" serve --listen "${url#http://}"
[[ $(wc -l <"$work/err") -eq 1 ]] || fail "a failed start says more than one sentence"
stop INT

expect 1 "other machines could reach the API" serve --listen 0.0.0.0:0
expect 1 "fencepost apikey new" serve --listen 0.0.0.0:0 --http.beyondLoopback
# With an empty label, of which no name server is asked: one may take longer over its no than we wait.
expect 1 "cannot be resolved" serve --listen no..such.host:8646 --http.beyondLoopback --api.openToAll
expect 2 "A subcommand is required"
expect 2 "Usage: fencepost" serv
expect 2 "not expected: serv" serv
expect 2 "--lisen" serve --lisen 127.0.0.1:0
expect 2 "Usage: fencepost serve" serve --listen
expect 2 "has no port" serve --listen localhost
expect 2 "has no valid port" serve --listen localhost:99999

[[ "$("$fencepost" --version)" =~ ^fencepost\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version"
# Not by a pipe: grep -q would close it, and what the program still had to say would end it.
[[ "$("$fencepost" --help)" == *serve* ]] || fail "--help does not name the subcommands"
[[ "$("$fencepost" serve --help)" == *"--listen HOST:PORT"* ]] || fail "serve --help does not name --listen"
