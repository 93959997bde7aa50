#!/bin/bash
# What a newcomer sees in the first hour: runs each line of cases.txt in a shell of its own and prints what a person would read,
# with the exit code and the seconds. Nothing is judged; read it aloud.
#   npm run build && bench/first-hour/run.sh [words of the cases to run]
# DATA_DIR names a folder with models/Xenova/all-MiniLM-L6-v2; without it the cases that need the model say so.
set -u
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
work=$(mktemp -d) && chmod 755 "$work"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
models=${DATA_DIR:-$work/no-models}
unset DATA_DIR
export HOME=$work/home KNOWLEDGE_OFFLINE=1 COLUMNS=80
mkdir -p "$HOME/bin"
printf '#!/bin/sh\nexec node "%s/dist/cli.js" "$@"\n' "$checkout" > "$HOME/bin/knowledge-store"
chmod +x "$HOME/bin/knowledge-store"
export PATH=$HOME/bin:$PATH

# The places where cases happen, below the home directory.
prepare() {
  mkdir -p shop/.git shop/docs shop/src/deep nothing empty/.git system/.automaker/features/f-1 two/.a/features/f two/.b/features/f
  printf '# Database\n\n## Locks\nWriters wait for the write lock of the other process, up to 15 seconds.\n\n## Backups\nA copy is made every night at two.\n' > shop/docs/database.md
  printf '## Shipping\nVersions go out on Tuesdays, after the nightly build.\n' > shop/docs/release.md
  printf 'caf\351\n' > shop/docs/latin1.md
  printf '{ "id": "f-1", "title": "Login" }' > system/.automaker/features/f-1/feature.json
  printf '## What went wrong\nThe cookie was not renewed after the password changed.\n' > system/.automaker/features/f-1/reflection.md
  for folder in a b; do echo '{}' > "two/.$folder/features/f/feature.json"; done
}

# Knowledge in the shop; the model lies where the command looks for it.
with_model() {
  mkdir -p "$HOME/.local/share"
  ln -sfn "$models" "$HOME/.local/share/knowledge-store"
}

number=0
section=
while IFS= read -r line; do
  case $line in
    '' | '#'*) continue ;;
    '['*) section=$line; continue ;;
  esac
  title=${line%% : *}
  command=${line#* : }
  number=$((number + 1))
  [ $# -eq 0 ] || echo "$section $title" | grep -qi -- "$*" || continue
  rm -rf "$HOME"/[!b]* "$HOME"/.[!.]* 2> /dev/null
  cd "$HOME" && prepare
  [ "$section" = '[no model]' ] || with_model
  if [ "$section" = '[indexed]' ]; then (cd shop && knowledge-store ingest > /dev/null 2>&1); fi
  printf '\n── %s. %s %s\n$ %s\n' "$number" "$section" "$title" "$command"
  begin=$(date +%s.%N)
  (cd shop && timeout 60 bash --norc -c "$command" < /dev/null 2>&1)
  printf '[exit %s, %.1f s]\n' "$?" "$(echo "$(date +%s.%N) - $begin" | bc)"
done < "$here/cases.txt" | sed "s#$HOME#~#g; s#$checkout#CHECKOUT#g; s#$work#WORK#g"
