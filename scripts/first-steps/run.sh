#!/bin/sh
# What someone does who has just got the package, in an empty directory: scripts/first-steps/run.sh <packed file>
# Prints each command with its output, and fails with the first that fails. With a model in DATA_DIR, or a hub
# to download it from, the text has to have its vector.
set -eu
package=$1
scripts=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
service=
trap 'test -z "$service" || kill "$service"; rm -rf "$work"' EXIT
cd "$work"

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

run node --version
npm init --yes > package.log
run npm install --no-audit --no-fund "$package"
mkdir docs
printf '## Locks\nWriters wait for the write lock.\n' > docs/db.md
run npx knowledge-store init
run npx knowledge-store ingest
run npx knowledge-store search lock
if ! npx knowledge-store status --json | grep -q '"state":"absent"'; then
  # A machine under load may search by keyword alone, since the vector of a query has little time.
  npx knowledge-store status --json | grep -q '"embeddings":{"complete":1,"pending":0'
fi

npm install --no-audit --no-fund @modelcontextprotocol/client@2.4.0 > package.log
cp "$scripts"/*.mjs .
run node call-mcp.mjs
run node search.mjs

# What npx starts would outlive it.
printf '\n$ node_modules/.bin/knowledge-store serve\n'
PORT=0 node_modules/.bin/knowledge-store serve > service.log &
service=$!
until url=$(sed -n 's/^listening on \([^ ]*\) .*/\1/p' service.log) && [ -n "$url" ]; do
  kill -0 "$service"
  sleep 0.2
done
cat service.log
run curl -sS --fail "$url/ready"
run curl -sS --fail "$url/api/knowledge/search" -H 'content-type: application/json' \
  -d "{\"projectPath\":\"$work\",\"query\":\"lock\"}"
echo
