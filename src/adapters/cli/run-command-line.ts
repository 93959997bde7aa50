import type { CommandLineParts } from './command-line-parts.js';
import { type ExitCode, exitOf } from './exit.js';
import { createProgram } from './program.js';

/**
 * Carries out one command and returns the exit code of the process. An error is one line on standard
 * error.
 * @param words the arguments after the name of the program
 */
export async function runCommandLine(
  words: readonly string[],
  parts: CommandLineParts,
): Promise<ExitCode> {
  try {
    const program = await createProgram(parts, words);
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    const { code, sentence } = exitOf(error);
    if (sentence !== undefined) parts.terminal.err(`knowledge-store: ${sentence}\n`);
    return code;
  }
}
