#!/usr/bin/env bash
# usage: config_reference_test.sh <fencepost> <configuration.md>
#
# Fails when the document is not what the program says of its keys, and says how to make it again.
set -euo pipefail
if ! diff <("$1" config reference --markdown) "$2"; then
  echo "$2 is stale: build/dev/bin/fencepost config reference --markdown >docs/reference/configuration.md" >&2
  exit 1
fi
