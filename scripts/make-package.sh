#!/bin/sh
# Makes the package from this checkout and prints its path, for `npm install --global <path>`.
# The installed command does not need the checkout.
set -eu
cd "$(dirname "$0")/.."
[ -d node_modules/typescript ] || npm ci >&2
rm -f knowledge-store-*.tgz
npm pack --silent >&2
ls "$PWD"/knowledge-store-*.tgz
