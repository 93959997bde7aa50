#!/bin/sh
# Packs the package and checks it as a stranger would get it: exports and types, then the first steps in an empty
# directory, with the Node that runs or with others: scripts/check-package.sh [20 22 24]
# Takes minutes where better-sqlite3 has to be compiled.
set -eu
cd "$(dirname "$0")/.."
scripts=$PWD/scripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf dist
npm pack --silent --pack-destination "$work"
package=$(ls "$work"/knowledge-store-*.tgz)
bytes=$(wc -c < "$package")
echo "packed: $bytes bytes of at most 12000000"
[ "$bytes" -le 12000000 ]

npx --yes publint@0.3.25 run "$package" --strict
npx --yes @arethetypeswrong/cli@0.18.5 "$package" --profile esm-only

[ $# -gt 0 ] || "$scripts/first-steps/run.sh" "$package"
for version; do
  # The registry's package of Node has its headers, too.
  npm install --silent --no-save --prefix "$work/node-$version" "node@$version"
  binary=$(ls "$work/node-$version/node_modules/node/node_modules"/node-*/bin/node)
  node=${binary%/bin/node}
  PATH="$node/bin:$PATH" npm_config_nodedir=$node "$scripts/first-steps/run.sh" "$package"
done
echo 'The package installs and works.'
