import { type CompletedCommand, commandsBelow, quoted, steps } from './command-tree.js';

/** A completion script for bash, version 3.2 or later. */
export function bashCompletion(tree: readonly CompletedCommand[]): string {
  return `# bash completion for knowledge-store
_knowledge_store() {
  local at='' words='' word
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${steps(tree).join('|')}) at="\${at:+$at/}$word" ;;
    esac
  done
  case "$at $previous" in
${tree.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${tree.map((command) => wordCase(tree, command)).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _knowledge_store knowledge-store
`;
}

function valueCases({ path, options }: CompletedCommand): readonly string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === undefined) return [];
    const pattern = flags.map((flag) => `'${path} ${flag}'`).join('|');
    return [`    ${pattern}) ${replyOf(value)}return ;;`];
  });
}

/** With no reply bash completes file names. */
function replyOf(value: 'directory' | 'any' | readonly string[]): string {
  if (value === 'any') return '';
  const words = value === 'directory' ? '-d' : `-W ${quoted(value.join(' '))}`;
  return `COMPREPLY=($(compgen ${words} -- "$current")); `;
}

/** Options are only offered after a dash, so that file names are completed otherwise. */
function wordCase(tree: readonly CompletedCommand[], command: CompletedCommand): string {
  const names = commandsBelow(tree, command).map(({ name }) => name);
  const flags = command.options.flatMap((option) => option.flags);
  const words = quoted([...names, ...command.choices].join(' '));
  return `    ${quoted(command.path)}) words=${words}; [[ "$current" == -* ]] && words=${quoted(flags.join(' '))} ;;`;
}
