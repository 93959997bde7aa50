import { isRecord } from '../../domain/records.js';
import type { CommandLineParts } from './command-line-parts.js';
import { findProject } from './project-directory.js';
import { printable } from './text/format.js';

/** Prints notes and lessons for the prompt on standard input. Rejects if the time limit of hooks passes. */
export async function printForPrompt(parts: CommandLineParts, project: unknown): Promise<void> {
  const signal = parts.hookTime();
  const input = await parts.terminal.readInput({ signal, maxBytes: INPUT_MAX_BYTES });
  const { prompt, session_id, transcript_path, cwd } = readObject(input);
  if (typeof prompt !== 'string' || prompt.trim() === '' || AGENT_COMMAND.test(prompt)) return;
  const directory = readText(cwd) ?? parts.directory;
  const { path, isInitialized } = await findProject({ ...parts, directory }, project);
  if (!isInitialized) return;
  const worktree = await findWorktree(parts, directory, path);
  const session = readText(session_id) ?? readText(transcript_path);
  const text = prompt.slice(0, PROMPT_MAX_CHARACTERS);
  const section = await parts.knownForPrompt(
    { projectPath: path, text, session, ...worktree },
    signal,
  );
  if (section !== '') parts.terminal.out(printable(section));
}

/** The directory of the agent, if it is in a linked worktree of the project. */
async function findWorktree({ projects }: CommandLineParts, directory: string, project: string) {
  const { nearest, own } = await projects();
  const isWorktree = nearest(directory) === project && own(directory) !== project;
  return isWorktree ? { directory } : {};
}

const INPUT_MAX_BYTES = 1_048_576;
/** The rest of a longer prompt is ignored. */
const PROMPT_MAX_CHARACTERS = 2_000;

/** Matches a command of the agent such as `/clear`, but not a path. */
const AGENT_COMMAND = /^\s*\/[\w:-]+(?:\s|$)/;

function readObject(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return isRecord(value) ? value : {};
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
