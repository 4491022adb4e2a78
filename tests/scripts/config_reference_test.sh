#!/usr/bin/env bash
# usage: config_reference_test.sh <fencepost> <configuration.md>
#
# Fails when the document differs from the program's key reference, and prints how to regenerate it.
set -euo pipefail
if ! diff <("$1" config reference --markdown) "$2"; then
  echo "$2 is stale: build/dev/bin/fencepost config reference --markdown >docs/reference/configuration.md" >&2
  exit 1
fi
