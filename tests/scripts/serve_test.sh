#!/usr/bin/env bash
# usage: serve_test.sh <fencepost>
#
# Calls the program as a person or a supervisor would: starts it, asks it, stops it, and gets its usage wrong.
set -euo pipefail
fencepost=$1

work=$(mktemp -d)
server=
trap 'if [[ -n $server ]]; then kill -9 "$server" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

fail() { echo "FAILED: $*" >&2; cat "$work"/* >&2; exit 1; }

# start <address>: runs the server in the background; $server is its process, $url what its first line says.
start() {
  : >"$work/server.out"
  "$fencepost" serve --listen "$1" >"$work/server.out" 2>"$work/server.err" &
  server=$!
  for _ in $(seq 100); do
    [[ -s $work/server.out ]] && break
    sleep 0.1
  done
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
status() { curl -gsS --max-time 10 -o /dev/null -w '%{http_code}' "$@"; }

for address in 127.0.0.1:0 '[::1]:0'; do
  start "$address"
  [[ $url != *:0 ]] || fail "the line names port 0, not the real one"
  [[ "$(curl -gsS --max-time 10 "$url/livez")" == '{"status":"ok"}' ]] || fail "/livez does not answer"
  [[ "$(curl -gsS --max-time 10 -o /dev/null -w '%{http_code} %{content_type}' "$url/no-such-path")" == \
    "404 application/problem+json" ]] || fail "an unknown path is not a problem document"
  stop TERM
done

# As many connections as are allowed must be possible, whatever the shell allowed at first.
(ulimit -Sn 128 && exec "$fencepost" serve --listen 127.0.0.1:0 >"$work/server.out" 2>"$work/server.err") &
server=$!
for _ in $(seq 100); do
  [[ -s $work/server.out ]] && break
  sleep 0.1
done
[[ $(prlimit --pid "$server" --nofile --output SOFT --noheadings) == $(ulimit -Hn) ]] ||
  fail "the limit on open files was not raised"
stop TERM

# Without keys every program of this machine may call, and no stranger's web page in its browser.
start 127.0.0.1:0
[[ $(status "$url/api/v1/cluster") == 200 ]] || fail "a node without keys does not answer"
[[ $(status -H 'Host: evil.example' "$url/api/v1/cluster") == 403 ]] || fail "it answers to another's name"
[[ $(status -H 'Host: evil.example' "$url/livez") == 200 ]] || fail "/livez does not answer to any name"
[[ $(status -X POST -H 'Origin: https://evil.example' "$url/api/v1/submitters/x/pause") == 403 ]] ||
  fail "a page of another origin may pause"
stop TERM

start 127.0.0.1:0
expect 1 "another program already listens there" serve --listen "${url#http://}"
[[ $(wc -l <"$work/err") -eq 1 ]] || fail "a failed start says more than one sentence"
stop INT

expect 1 "others than this machine could call" serve --listen 0.0.0.0:0
expect 1 "fencepost apikey new" serve --listen 0.0.0.0:0 --http.beyondLoopback
expect 1 "is not known" serve --listen no-such-host.invalid:8646 --http.beyondLoopback --api.openToAll
expect 2 "A subcommand is required"
expect 2 "Usage: fencepost" serv
expect 2 "not expected: serv" serv
expect 2 "--lisen" serve --lisen 127.0.0.1:0
expect 2 "Usage: fencepost serve" serve --listen
expect 2 "has no port" serve --listen localhost
expect 2 "has no valid port" serve --listen localhost:99999

[[ "$("$fencepost" --version)" =~ ^fencepost\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version"
"$fencepost" --help | grep -q "serve" || fail "--help does not name the subcommands"
"$fencepost" serve --help | grep -q -- "--listen HOST:PORT" || fail "serve --help does not name --listen"
