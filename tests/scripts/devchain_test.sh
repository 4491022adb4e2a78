#!/usr/bin/env bash
# usage: devchain_test.sh <fencepost>
#
# Runs the development chain as a user would: queries it, kills it, starts it again with the same data, and gets its
# usage wrong.
set -euo pipefail
fencepost=$1

work=$(mktemp -d)
chain=
trap 'if [[ -n $chain ]]; then kill -9 "$chain" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

fail() { echo "FAILED: $*" >&2; cat "$work"/*.out "$work"/*.err >&2; exit 1; }

# start <options…>: runs the chain in the background; $chain is its process, $url what its first line says.
start() {
  : >"$work/chain.out"
  "$fencepost" devchain --listen 127.0.0.1:0 "$@" >"$work/chain.out" 2>"$work/chain.err" &
  chain=$!
  for _ in $(seq 600); do
    [[ ! -s $work/chain.out ]] || break # all that it has to say comes in one go
    kill -0 "$chain" 2>/dev/null || fail "it ended by itself"
    sleep 0.1
  done
  [[ "$(head -n 1 "$work/chain.out")" =~ ^development\ chain\ ([0-9]+)\ at\ block\ ([0-9]+)\ on\ (http://[^ ]+)\  ]] ||
    fail "the first line is not what was promised"
  id=${BASH_REMATCH[1]} height=${BASH_REMATCH[2]} url=${BASH_REMATCH[3]}
}

# stop <signal> <exit code>
stop() {
  local code=0
  kill "-$1" "$chain"
  wait "$chain" 2>/dev/null || code=$?
  chain=
  [[ $code -eq $2 ]] || fail "SIG$1 ended the chain with $code, not $2"
  [[ ! -s $work/chain.err ]] || fail "the chain wrote to stderr"
}

# ask <method> <parameters>: the answer.
ask() { curl -sS --max-time 30 "$url" -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":[$2]}"; }
# hash_of <block>
hash_of() { ask eth_getBlockByNumber "\"$1\",false" | grep -o '"hash":"0x[0-9a-f]*"'; }

# expect <exit code> <text on stderr> <arguments…>
expect() {
  local wanted=$1 text=$2 code=0
  shift 2
  timeout 20 "$fencepost" devchain "$@" >"$work/other.out" 2>"$work/other.err" || code=$?
  [[ $code -eq $wanted ]] || fail "\"devchain $*\" ended with $code, not $wanted"
  grep -qF -- "$text" "$work/other.err" || fail "\"devchain $*\" did not say \"$text\""
}

start --data "$work/data" --block-time 50ms
[[ $height == 0 && $id == 31337 ]] || fail "a new chain does not begin at block 0, or not as chain 31337"
[[ $(grep -c '^0x[0-9a-fA-F]\{40\}  0x' "$work/chain.out") -eq 10 ]] || fail "there are not ten accounts"
for _ in $(seq 600); do
  third=$(hash_of 0x3) && break
  sleep 0.1
done
[[ -n $third ]] || fail "no blocks are made"
first=$(hash_of 0x0)
expect 1 "another development chain runs on" --listen 127.0.0.1:0 --data "$work/data"
stop KILL 137

printf 'mine 17' >>"$work/data/chain.log"
start --data "$work/data" --block-time 50ms --chain-id 5
[[ $height -ge 3 && $id == 31337 ]] || fail "it does not continue after a restart"
[[ $(hash_of 0x0) == "$first" && $(hash_of 0x3) == "$third" ]] || fail "it is another chain than before"
stop INT 0

echo nonsense >>"$work/data/chain.log"
expect 1 "is damaged; move the file away to start a new chain" --listen 127.0.0.1:0 --data "$work/data"

start --block-time 0s --chain-id 7
[[ $(ask eth_chainId "") == *'"0x7"'* ]] || fail "it is not the chain that was asked for"
expect 1 "another program already listens on it" --listen "${url#http://}"
stop TERM 0

expect 2 "has no port" --listen localhost
expect 2 "is not a duration" --block-time soon
expect 2 "not expected" more
expect 2 "use 127.0.0.1:8545, and from another machine" --listen 0.0.0.0:8545
