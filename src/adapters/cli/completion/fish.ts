import {
  type CompletedCommand,
  type CompletedOption,
  commandsBelow,
  quoted,
  steps,
} from './command-tree.js';

/** A completion script for fish. */
export function fishCompletion(tree: readonly CompletedCommand[]): string {
  return `# fish completion for knowledge-store
function __knowledge_store_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at/$word"
            case ${steps(tree).map(quoted).join(' ')}
                set at (string trim --left --chars=/ -- "$at/$word")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c knowledge-store -e
${tree.flatMap((command) => linesOf(tree, command)).join('\n')}
`;
}

function linesOf(tree: readonly CompletedCommand[], command: CompletedCommand): readonly string[] {
  const start = `complete -c knowledge-store -n "__knowledge_store_at '${command.path}'"`;
  const names = commandsBelow(tree, command).map(
    ({ name, summary }) => `${start} -f -a ${name} -d ${quoted(summary)}`,
  );
  const choices = command.choices.map((choice) => `${start} -f -a ${quoted(choice)}`);
  return [
    ...names,
    ...choices,
    ...command.options.map((option) => `${start} ${optionWords(option)}`),
  ];
}

function optionWords({ flags, summary, value }: CompletedOption): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  return [...names, ...valueWords(value), '-d', quoted(summary)].join(' ');
}

function valueWords(value: CompletedOption['value']): readonly string[] {
  if (value === undefined) return [];
  if (value === 'directory') return ['-x', '-a', "'(__fish_complete_directories)'"];
  return value === 'any' ? ['-r'] : ['-x', '-a', quoted(value.join(' '))];
}
