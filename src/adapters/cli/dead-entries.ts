import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import { AGENT_IDS, agentFile } from './agent-table.js';
import { NAME, ourCommand, type Program } from './agents.js';
import { type Entries, parseJson } from './settings-file.js';
import { readToml } from './toml-settings.js';

/**
 * Returns one sentence per entry of this program whose paths no longer exist, or whose bare command is not on the PATH.
 * A bare command is on the PATH if `isPortable`.
 */
export function deadEntries(
  project: string,
  { isPortable }: Pick<Program, 'isPortable'>,
): readonly string[] {
  const missing = (words: readonly unknown[]) =>
    missingPath(words) ?? (isPortable ? undefined : missingCommand(words));
  const entries = AGENT_IDS.flatMap((agent) => {
    const { file, key } = agentFile(agent);
    const { [key]: servers } = readSettings(project, file);
    const gone = isRecord(servers) ? missing(wordsOfEntry(servers[NAME])) : undefined;
    return gone === undefined ? [] : [sentence(file, gone, `connect ${agent}`)];
  });
  const hooks = AGENT_IDS.flatMap((agent) => {
    const { hooks: file } = agentFile(agent);
    const words = file === undefined ? [] : wordsOfHooks(readSettings(project, file)['hooks']);
    const gone = words.map(missing).find((one) => one !== undefined);
    if (file === undefined || gone === undefined) return [];
    return [sentence(file, gone, `connect ${agent} --hooks`)];
  });
  return [...entries, ...hooks];
}

function sentence(file: string, gone: string, command: string): string {
  return `The entry in ${file} names ${gone}; to write it again, run "knowledge-store ${command}".`;
}

/** Empty if the file is missing or cannot be parsed. */
function readSettings(project: string, file: string): Entries {
  try {
    const text = readFileSync(join(project, file), 'utf8').replace(/^\uFEFF/, '');
    return file.endsWith('.toml') ? readToml(text) : parseJson(text);
  } catch {
    return {};
  }
}

function wordsOfEntry(entry: unknown): readonly unknown[] {
  if (!isRecord(entry)) return [];
  const { command, args } = entry;
  return [command, ...(Array.isArray(args) ? args : [])];
}

/** Returns the words of each hook command that this program wrote. */
function wordsOfHooks(hooks: unknown): readonly (readonly string[])[] {
  const groups = isRecord(hooks) ? Object.values(hooks).flat() : [];
  return groups
    .flatMap((group) => (isRecord(group) && Array.isArray(group['hooks']) ? group['hooks'] : []))
    .flatMap((hook) => ourCommand(hook) ?? [])
    .map((command) => [...command.matchAll(QUOTED)].map(([, word = '']) => unquote(word)));
}

/** Matches a word as `connect` quotes it for a shell. Skips the quoted values of variables before the command. */
const QUOTED = /(?<![^ ])'((?:[^']|'\\'')*)'(?= |$)/g;

function unquote(word: string): string {
  return word.replaceAll("'\\''", "'");
}

function missingPath(words: readonly unknown[]): string | undefined {
  const path = words.find(
    (word) => typeof word === 'string' && isAbsolute(word) && !existsSync(word),
  );
  return path === undefined ? undefined : `${path}, which does not exist`;
}

function missingCommand([command]: readonly unknown[]): string | undefined {
  return command === NAME ? `the command ${NAME}, which is not on the PATH` : undefined;
}
