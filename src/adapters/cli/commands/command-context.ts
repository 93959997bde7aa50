import type { Command } from 'commander';
import type { CommandLineParts } from '../command-line-parts.js';
import type { Runner } from '../runner.js';

/** What the declaration of a command needs to carry it out. */
export interface CommandContext {
  readonly parts: CommandLineParts;
  readonly runner: Runner;
  /** The program with every command declared. */
  readonly wholeProgram: () => Promise<Command>;
}
