import type { Command, Option } from 'commander';

/** A command as shell completion sees it. */
export interface CompletedCommand {
  /** The words before it, joined with `/`: empty for the program, `note/add` for a command of `note`. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The values of its first argument, if it has a choice of them. */
  readonly choices: readonly string[];
}

export interface CompletedOption {
  /** Such as `-p` and `--project`. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** What the value is; absent if the option has none. */
  readonly value?: 'directory' | 'any' | readonly string[];
}

/** The program and all of its commands, each before those below it. */
export function commandTree(program: Command): readonly CompletedCommand[] {
  return branch(program, '');
}

function branch(command: Command, path: string): readonly CompletedCommand[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  return [
    {
      path,
      name: command.name(),
      summary: command.summary(),
      options: help.visibleOptions(command).map(optionOf),
      choices: command.registeredArguments[0]?.argChoices ?? [],
    },
    ...below.flatMap((child) =>
      branch(child, path === '' ? child.name() : `${path}/${child.name()}`),
    ),
  ];
}

function optionOf(option: Option): CompletedOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  const summary = option.description;
  if (!option.required) return { flags, summary };
  if (option.argChoices !== undefined) return { flags, summary, value: option.argChoices };
  return { flags, summary, value: option.long === '--project' ? 'directory' : 'any' };
}

/** The commands right below another. */
export function commandsBelow(
  tree: readonly CompletedCommand[],
  { path }: CompletedCommand,
): readonly CompletedCommand[] {
  const prefix = path === '' ? '' : `${path}/`;
  return tree.filter((command) => command.path === prefix + command.name && command.path !== path);
}

/** Paths with a slash before the last word, as a shell meets them word by word: `/note`, `note/add`. */
export function steps(tree: readonly CompletedCommand[]): readonly string[] {
  return tree
    .filter(({ path }) => path !== '')
    .map(({ path }) => (path.includes('/') ? path : `/${path}`));
}

/** Text between single quotes of any of the three shells, without what would end or change it. */
export function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '').replace(/\s+/g, ' ')}'`;
}
