#!/bin/bash
# From a clone to the first answers, in an empty home directory, with the seconds of each step:
#   bench/first-hour/transcript.sh <repository> <project> <folder with models/> [question about the project]
# The model is copied to where the command looks for it, as after a download. The Node on the PATH is used.
set -eu
repository=$1 project=$2 models=$3 question=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work npm_config_prefix=$work/.npm npm_config_update_notifier=false
export PATH=$HOME/.npm/bin:$PATH COLUMNS=100 PORT=${PORT:-3787}
unset DATA_DIR XDG_DATA_HOME

step() {
  local begin end
  printf '$ %s\n' "$*"
  begin=$(date +%s%N)
  eval "$*" 2>&1
  end=$(date +%s%N)
  awk -v ns=$((end - begin)) 'BEGIN { printf "# %.1f s\n\n", ns / 1e9 }'
}

{
  cd "$work"
  step node --version
  step "git clone --quiet '$repository' knowledge-store && cd knowledge-store"
  step 'npm ci 2>&1 | grep -v "^npm warn"'
  step "npm start > started.txt & until curl --silent --fail --output started.json http://127.0.0.1:$PORT/health; do sleep .1; done; cat started.txt; kill %1; wait %1 || true"
  step 'npm install --global . 2>&1 | grep -v "^npm warn"'
  mkdir -p .. ../.local/share/knowledge-store ../shop/docs
  cp -r "$models/models" ../.local/share/knowledge-store/
  cd ../shop && git init --quiet
  printf '# Database\n\n## Locks\nWriters wait for the write lock of the other process, up to 15 seconds.\n' > docs/database.md
  printf '## Shipping\nVersions go out on Tuesdays, after the nightly build.\n' > docs/release.md
  step knowledge-store ingest
  step knowledge-store connect claude
  step 'knowledge-store search when do we publish'
  cp -r "$project" ../project && cd ../project && git init --quiet
  step knowledge-store init
  step knowledge-store ingest
  step knowledge-store connect claude
  [ -z "$question" ] || step "knowledge-store search $question"
  step 'knowledge-store note add Shipping "Versions go out on Tuesdays, after the nightly build."'
  step knowledge-store ingest
  step 'knowledge-store search when do we publish'
} | sed -u "s#$work#~#g; s#'$repository'#<repository>#g"
