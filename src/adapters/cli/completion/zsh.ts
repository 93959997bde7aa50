import {
  type CompletedCommand,
  type CompletedOption,
  commandsBelow,
  quoted,
  steps,
} from './command-tree.js';

/** A completion script for zsh, which is sourced or saved as `_knowledge-store` in a folder of `fpath`. */
export function zshCompletion(tree: readonly CompletedCommand[]): string {
  return `#compdef knowledge-store
# zsh completion for knowledge-store
_knowledge_store() {
  local at='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      ${steps(tree).map(quoted).join('|')}) at="\${at:+$at/}$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${tree.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${tree.map((command) => wordsCase(tree, command)).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe 'option' options
  elif (( \${#commands} )); then
    _describe 'command' commands
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_knowledge-store" ]; then
  _knowledge_store "$@"
else
  compdef _knowledge_store knowledge-store
fi
`;
}

function valueCases({ path, options }: CompletedCommand): readonly string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === undefined) return [];
    const pattern = flags.map((flag) => `'${path} ${flag}'`).join('|');
    return [`    ${pattern}) ${replyOf(value)}; return ;;`];
  });
}

function replyOf(value: 'directory' | 'any' | readonly string[]): string {
  if (value === 'directory') return '_directories';
  return value === 'any' ? '_files' : `compadd -- ${value.map(quoted).join(' ')}`;
}

function wordsCase(tree: readonly CompletedCommand[], command: CompletedCommand): string {
  const names = [
    ...commandsBelow(tree, command).map(({ name, summary }) => described(name, summary)),
    ...command.choices.map(quoted),
  ];
  const flags = command.options.flatMap(flagsOf);
  return `    ${quoted(command.path)}) commands=(${names.join(' ')}) options=(${flags.join(' ')}) ;;`;
}

function flagsOf({ flags, summary }: CompletedOption): readonly string[] {
  return flags.map((flag) => described(flag, summary));
}

/** zsh separates a word from its description by a colon. */
function described(word: string, summary: string): string {
  return quoted(`${word}:${summary}`);
}
