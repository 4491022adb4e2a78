#!/usr/bin/env bash
# usage: key_test.sh <fencepost>
#
# Calls fencepost key as a user would: creates, imports and lists keys, and makes every possible mistake.
set -euo pipefail
fencepost=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The first account of every development node, and the password of its file.
key=ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80
address=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
file=keys/0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266.json
password="correct horse"
echo "$password" >password
echo "$key" >key
echo "${key%??}" >half
: >empty

fail() { echo "FAILED: $*" >&2; cat out err >&2; exit 1; }

# expect <exit code> <pattern of stdout> <text on stderr> <arguments…>, with $input on standard input
input=/dev/null
expect() {
  local wanted=$1 out=$2 text=$3 code=0
  shift 3
  timeout 20 "$fencepost" key "$@" <"$input" >out 2>err || code=$?
  [[ $code -eq $wanted ]] || fail "\"key $*\" ended with $code, not $wanted"
  [[ "$(cat out)" =~ ^$out$ ]] || fail "\"key $*\" did not print \"$out\""
  grep -qF -- "$text" err || [[ -z $text && ! -s err ]] || fail "\"key $*\" did not say \"$text\""
  [[ $code -ne 1 || $(wc -l <err) -eq 1 ]] || fail "\"key $*\" says more than one sentence"
  ! grep -qiF -e "${key:0:16}" -e "$password" out err || fail "\"key $*\" printed a secret"
}
by_file=(--keystore keys --weak --password-file password)

expect 1 "" "keys cannot be read" list --keystore keys
expect 0 "0x[0-9a-fA-F]{40} keys/0x[0-9a-f]{40}\.json" "" new "${by_file[@]}"
[[ "$(stat -c %a keys)" == 700 ]] || fail "other users can access the folder"
[[ "$(stat -c %a keys/*)" == 600 ]] || fail "other users can access the file"

input=key expect 0 "$address $file" "" import "${by_file[@]}"
before=$(sha256sum "$file")
expect 1 "" "$file already holds the key of $address" import "${by_file[@]}" --key-file key
[[ "$(sha256sum "$file")" == "$before" ]] || fail "a key file was changed"
PW=$password expect 0 "$address other/.*" "" import --weak --keystore other --password-env PW --key-file key
expect 0 "(0x[0-9a-zA-Z]+ keys/0x[0-9a-f]+\.json"$'\n'"?){2}" "" list --keystore keys
grep -qF "$address $file" out || fail "the key that was taken over is not listed"
expect 0 "\{\"items\":.*\}" "" list --keystore keys --json
[[ $(jq -r ".items[] | select(.address == \"$address\") | .file" out) == "$file" ]] || fail "it is not in the document"
[[ "$(find keys -type f | wc -l)" == 2 ]] || fail "there are other files than the two keys"
! grep -rqi "${key:0:16}" keys other || fail "a key is stored unencrypted"

# Two concurrent runs: one creates the file, the other reports that it exists, and neither overwrites it.
for turn in 1 2 3 4 5; do
  both=(key import --keystore "race$turn" --weak --password-file password --key-file key)
  "$fencepost" "${both[@]}" >out 2>err & first=$!
  code=0; timeout 20 "$fencepost" "${both[@]}" >out2 2>err2 || code=$?
  other=0; wait $first || other=$?
  [[ $((code + other)) -eq 1 ]] || fail "of two at once, one ended with $code and one with $other"
  grep -q "left unchanged" err err2 || fail "the second run does not say why"
  [[ "$(find "race$turn" -type f | wc -l)" == 1 ]] || fail "two at once left something behind"
done

# The default strength is geth's.
expect 0 "0x.*" "" new --keystore strong --password-file password
grep -q '"n":262144,"r":8,"p":1' strong/* || fail "the default is weaker than geth's"

input=half expect 1 "" "standard input does not contain a key" import "${by_file[@]}"
expect 1 "" "standard input is empty" import "${by_file[@]}"
expect 1 "" "half does not contain a key" import "${by_file[@]}" --key-file half
expect 1 "" "none cannot be read" import "${by_file[@]}" --key-file none
expect 1 "" "empty is empty" new --keystore keys --password-file empty
expect 1 "" "none cannot be read" new --keystore keys --password-file none
expect 1 "" "UNSET_HERE is empty or not set" new --keystore keys --password-env UNSET_HERE
expect 1 "" "no/such/folder cannot be made" new --keystore no/such/folder --weak --password-file password
expect 2 "" "password" new --keystore keys
expect 2 "" "password" new "${by_file[@]}" --password-env PW
expect 2 "" "--keystore is required" list
expect 2 "" "A subcommand is required"
expect 2 "" "not expected: nwe" nwe
expect 2 "" "not expected" import "${by_file[@]}" more
echo '{"version": 3}' >keys/damaged.json
expect 1 "" "keys/damaged.json is damaged: its field \"crypto\" is missing" list --keystore keys
