#!/bin/sh
# Publishes the version of package.json from a clean checkout. Run it in a workflow of a public repository with
# `id-token: write`, so that npm can record the provenance (`publishConfig.provenance`).
set -eu
cd "$(dirname "$0")/.."
version=$(node -p "require('./package.json').version")
[ -z "$(git status --porcelain)" ] || { echo 'Commit everything first.' >&2; exit 1; }
grep -q "^## $version\$" CHANGELOG.md || { echo "CHANGELOG.md has no heading \"## $version\"." >&2; exit 1; }
pictures=$(git log -1 --format=%ct -- docs/pictures)
[ "$(git log -1 --format=%ct -- console)" -le "$pictures" ] || { echo 'The console changed after its pictures were taken: npx tsx bench/console/screenshots.ts --readme' >&2; exit 1; }
rm -rf dist
npm ci
npm run check
npm run test:slow
npm run test:long
npm run check:package
git tag "v$version"
npm publish
