#!/usr/bin/env bash
# usage: compile.sh <folder>
#
# Checks the types of the end-to-end tests and of the sample client, and compiles them into the folder, where they find
# the packages of tests/node.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$1"
mkdir -p "$1"
echo '{ "type": "module" }' >"$1/package.json"
ln -s "$here/../node/node_modules" "$1/node_modules"
exec node "$here/../node/node_modules/typescript/bin/tsc" -p "$here" --outDir "$1"
