#!/bin/sh
# Runs every server scenario of @modelcontextprotocol/conformance against /mcp. Fails if one fails that
# mcp-conformance.yml does not list, or if one that it lists does not fail.
set -eu
cd "$(dirname "$0")/.."
checkout=$PWD
work=$(mktemp -d)
service=
trap 'test -z "$service" || kill "$service"; rm -rf "$work"' EXIT

npm run build
mkdir "$work/project" "$work/project/docs"
cd "$work/project"
printf '## Locks\nWriters wait for the write lock.\n' > docs/db.md
node "$checkout/dist/cli.js" ingest --no-vectors
PORT=0 KNOWLEDGE_OFFLINE=1 node "$checkout/dist/cli.js" serve > "$work/log" &
service=$!
until url=$(sed -n 's/^listening on \([^ ]*\) .*/\1/p' "$work/log") && [ -n "$url" ]; do
  kill -0 "$service"
  sleep 0.2
done

# The suite needs Node 22.
npx --yes --package=node@22.23.3 --package=@modelcontextprotocol/conformance@0.1.16 \
  conformance server --url "$url/mcp" --suite all --output-dir "$work/results" \
  --expected-failures "$checkout/scripts/mcp-conformance.yml"
