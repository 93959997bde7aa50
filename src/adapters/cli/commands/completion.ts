import { Argument, type Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { examples } from './project-command.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: a script that lets a shell complete commands and options. */
export function declareCompletion(command: Command, { parts, wholeProgram }: CommandContext): void {
  command
    .description(
      'Prints a script with which the Tab key completes commands and options, if knowledge-store is on the PATH.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText(
      'after',
      `${examples(
        'completion bash >> ~/.bashrc',
        'completion zsh > ~/.zfunc/_knowledge-store    (a folder of fpath)',
        'completion fish > ~/.config/fish/completions/knowledge-store.fish',
      )}\n\nPrint it again after an update.`,
    )
    .action(async (shell: Shell) =>
      parts.terminal.out(await scriptFor(shell, await wholeProgram())),
    );
}

async function scriptFor(shell: Shell, program: Command): Promise<string> {
  const { commandTree } = await import('../completion/command-tree.js');
  const tree = commandTree(program);
  if (shell === 'bash') return (await import('../completion/bash.js')).bashCompletion(tree);
  if (shell === 'zsh') return (await import('../completion/zsh.js')).zshCompletion(tree);
  return (await import('../completion/fish.js')).fishCompletion(tree);
}
