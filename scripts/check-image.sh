#!/bin/sh
# Runs the steps of deploy/Dockerfile without a Docker daemon: installs and builds what .dockerignore lets through, starts
# the service and asks it for a search. Uses the Node on the PATH, so it needs the version that the image has.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'kill "${service:-}" 2>/dev/null || true; rm -rf "$work"' EXIT

cd "$root"
sed -n 's/^!//p' .dockerignore | tr '\n' '\0' | xargs -0 git ls-files -z -- | tar --null -cT - | tar -x -C "$work"
cd "$work"
export npm_config_build_from_source=true
sed -n 's/^RUN \(npm ci.*\)/\1/p' "$root/deploy/Dockerfile" > build.sh
grep -q . build.sh
sh -eux build.sh

mkdir -p data project/.knowledge/notes
printf '# Ports\n\nThe gateway listens on port 8443.\n' > project/.knowledge/notes/ports.md
export NODE_ENV=production HOST=0.0.0.0 PORT=0 DATA_DIR="$work/data" KNOWLEDGE_TOKEN=check KNOWLEDGE_OFFLINE=1
node dist/main.js > out.log &
service=$!
for _ in $(seq 100); do grep -q '^listening' out.log && break; sleep 0.1; done
address=$(sed -n 's/^listening on \(http[^ ]*\).*/\1/p' out.log | sed 's/0\.0\.0\.0/127.0.0.1/')
call() {
  curl -sSf -H 'authorization: Bearer check' -H 'content-type: application/json' "$address/api/knowledge/$1" -d "$2"
}
call x/reindex "{\"projectPath\":\"$work/project\"}"
call search "{\"projectPath\":\"$work/project\",\"query\":\"gateway port\"}" | grep -q 8443
curl -sSf "$address/health" "$address/ready" > /dev/null
printf '\nThe image builds, starts and searches.\n'
