import { Argument, type Command, Option } from 'commander';
import { type Declare, examples } from './project-command.js';

/** `completion`: a script that lets a shell complete commands and options. */
const completion: Declare = (command, { parts, wholeProgram }) => {
  command
    .description(
      'Prints a script with which the Tab key completes commands and options, if knowledge-store is on the PATH.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .argument('[words...]', 'after --reply: the words that were typed, the last one maybe in part')
    .addOption(new Option('--reply', 'print what may come next').hideHelp())
    .addHelpText(
      'after',
      examples(
        'completion bash >> ~/.bashrc',
        'completion zsh > ~/.zfunc/_knowledge-store    (a folder of fpath)',
        'completion fish > ~/.config/fish/completions/knowledge-store.fish',
      ),
    )
    .action(async (shell: string, words: readonly string[], { reply }: { reply?: true }) => {
      const lines = async () =>
        repliesTo(await wholeProgram(), words)
          .map(lineOf)
          .join('');
      parts.terminal.out(reply ? await lines() : (SCRIPTS[shell] ?? ''));
    });
};

export const commands = { completion };

/** What may come next, and what it means. */
interface Reply {
  readonly word: string;
  readonly summary: string;
}

function lineOf({ word, summary }: Reply): string {
  return `${word}\t${summary.replace(/\s+/g, ' ')}\n`;
}

/** What may stand in place of the last word. Options are only offered after a dash. */
function repliesTo(program: Command, words: readonly string[]): readonly Reply[] {
  const [before, current = ''] = [words.slice(0, -1), words.at(-1)];
  const command = commandAt(program, before);
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const value = options.find(({ short, long }) => [short, long].includes(before.at(-1) ?? ''));
  return possible().filter(({ word }) => word.startsWith(current));

  function possible(): readonly Reply[] {
    if (value?.required) return (value.argChoices ?? []).map(plain);
    if (current.startsWith('-')) return options.flatMap(flagsOf);
    const below = help.visibleCommands(command).map((child) => ({
      word: child.name(),
      summary: child.summary(),
    }));
    const choices = command.registeredArguments[0]?.argChoices ?? [];
    return [...below.filter(({ word }) => word !== 'help'), ...choices.map(plain)];
  }
}

/** The command that the words have named so far. */
function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce(
    (command, word) => command.commands.find((child) => child.name() === word) ?? command,
    program,
  );
}

function flagsOf({ short, long, description: summary }: Option): readonly Reply[] {
  return [short, long].flatMap((word) => (word == null ? [] : [{ word, summary }]));
}

function plain(word: string): Reply {
  return { word, summary: '' };
}

/** Where there is no reply, shells complete the names of files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for knowledge-store
_knowledge_store() {
  local IFS=$'\\n'
  COMPREPLY=($(knowledge-store completion bash --reply -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _knowledge_store knowledge-store
`,
  zsh: `#compdef knowledge-store
# zsh completion for knowledge-store
_knowledge_store() {
  local -a replies
  replies=("\${(@f)$(knowledge-store completion zsh --reply -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/; s/:$//')}")
  if [[ -n "$replies[1]" ]]; then _describe 'knowledge-store' replies; else _files; fi
}
if [ "$funcstack[1]" = "_knowledge-store" ]; then _knowledge_store "$@"; else compdef _knowledge_store knowledge-store; fi
`,
  fish: `# fish completion for knowledge-store
complete -c knowledge-store -e
complete -c knowledge-store -a '(knowledge-store completion fish --reply -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};
