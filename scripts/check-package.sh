#!/bin/sh
# Packs the package and checks it as a stranger would get it: exports and types, then an installation into an
# empty directory, a rebuild and a search. Takes minutes where better-sqlite3 has to be compiled.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf dist
npm pack --silent --pack-destination "$work"
package=$(ls "$work"/knowledge-store-*.tgz)

npx --yes publint@0.3.25 run "$package" --strict
npx --yes @arethetypeswrong/cli@0.18.5 "$package" --profile esm-only

mkdir "$work/app"
cd "$work/app"
npm init --yes >/dev/null
npm install "$package"
mkdir docs
printf '## Locks\nWriters wait for the write lock.\n' > docs/db.md
npx knowledge-store rebuild --no-vectors
npx knowledge-store search lock --json | grep -q '"id":"docs/db.md#0"'
node --input-type=module -e "
  import { createKnowledgeStore } from 'knowledge-store';
  const { store, stop } = createKnowledgeStore();
  const { results } = await store.search(process.cwd(), 'lock');
  await stop();
  if (results.length !== 1) throw new Error('The library finds nothing.');
"
echo 'The package installs and works.'
