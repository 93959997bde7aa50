import { realpathSync } from 'node:fs';
import {
  SESSION_AGENT_LABELS,
  SESSION_AGENTS,
  type SessionAgent,
} from '../../domain/sessions/transcript.js';
import { AGENT_IDS, type Agent, agentFile } from './agent-table.js';
import { type Connection, entryFile, hooksFile, INSTRUCTION, instructionsFile } from './agents.js';
import type { CommandLineParts, Fields } from './command-line-parts.js';
import { UsageError } from './exit.js';
import {
  applyEdit,
  becomesDeleted,
  type CreatedPaths,
  checkEdit,
  readAndEdit,
  type SettingsFile,
} from './settings-file.js';
import { escapeControls, printableLine } from './text/format.js';

/**
 * Adds the entries of this program to the settings of an agent, or removes them.
 * @param project absolute
 * @param given the agent, and the options of the command `connect`
 */
export async function connectAgent(
  parts: CommandLineParts,
  project: string,
  given: Fields,
): Promise<void> {
  const agent = given['agent'] as Agent;
  checkOptions(agent, given);
  const edit = given['remove'] ? 'remove' : 'add';
  const files = filesToEdit(agent, { ...parts, project }, given);
  const { created } = await parts.userRecords();
  if (given['print']) {
    for (const file of files) parts.terminal.out(preview(file, edit, created));
    if (given['sessions'] && edit === 'add' && isSessionAgent(agent))
      parts.terminal.err(await consentSentence(parts, project, { agent, isGiven: false }));
    return;
  }
  for (const file of files) checkEdit(file, edit, created);
  const write = () => {
    for (const file of files) parts.terminal.out(change(file, edit, created));
  };
  if ((given['sessions'] || edit === 'remove') && isSessionAgent(agent))
    await withConsent(parts, project, { agent, edit, write });
  else write();
  if (edit === 'add') parts.terminal.err(nextSteps(agent, project, parts));
}

function checkOptions(agent: Agent, { hooks, sessions }: Fields): void {
  const withHooks = AGENT_IDS.filter((id) => agentFile(id).hooks !== undefined);
  if (hooks) checkAgent(agent, '--hooks', withHooks);
  if (sessions) checkAgent(agent, '--sessions', SESSION_AGENTS);
}

function checkAgent(agent: Agent, option: string, possible: readonly Agent[]): void {
  if (possible.includes(agent)) return;
  throw new UsageError(`${option} works only with ${possible.join(' and ')}.`);
}

/**
 * Returns the files that a call edits. Removal covers every file that still has something of ours; with `--sessions`,
 * only the files of the other options given.
 */
function filesToEdit(agent: Agent, connection: Connection, given: Fields): readonly SettingsFile[] {
  const { hooks, instructions, sessions, remove } = given;
  const withHooks = hooksFile(agent, connection);
  const optional = [
    ...(withHooks ? [{ file: withHooks, isWanted: hooks }] : []),
    { file: instructionsFile(agent, connection), isWanted: instructions },
  ];
  if (remove && sessions)
    return optional.filter(({ isWanted }) => isWanted).map(({ file }) => file);
  const isOurs = (file: SettingsFile) => readAndEdit(file, 'remove').after !== undefined;
  const chosen = optional.filter(({ file, isWanted }) => (remove ? isOurs(file) : isWanted));
  return [entryFile(agent, connection), ...chosen.map(({ file }) => file)];
}

function isSessionAgent(agent: Agent): agent is SessionAgent {
  return SESSION_AGENTS.some((name) => name === agent);
}

interface ConsentChange {
  readonly agent: SessionAgent;
  readonly edit: Edit;
  /** Writes the settings of the agent. */
  readonly write: () => void;
}

/**
 * Records or withdraws the consent to keep sessions, then writes the settings. If the consent cannot be recorded, no
 * settings are written. If the settings cannot be written, a new consent is withdrawn. The record names the real path
 * of the project.
 */
async function withConsent(
  parts: CommandLineParts,
  project: string,
  { agent, edit, write }: ConsentChange,
): Promise<void> {
  const { terminal } = parts;
  const { consents } = await parts.userRecords();
  const path = realpathSync(project);
  const wasGiven = (await consents.list(path)).includes(agent);
  if (edit === 'remove') {
    if (wasGiven) await consents.withdraw(path, agent);
    write();
    if (wasGiven)
      terminal.out('New conversations are no longer kept. The files of earlier ones stay.\n');
    return;
  }
  if (!wasGiven) await consents.grant(path, agent);
  try {
    write();
  } catch (error) {
    if (!wasGiven) await consents.withdraw(path, agent);
    throw error;
  }
  terminal.out(await consentSentence(parts, project, { agent, isGiven: true }));
}

/** Explains what the consent covers; `--print` shows it before the consent is given. */
async function consentSentence(
  { userRecords, appDirs }: CommandLineParts,
  project: string,
  { agent, isGiven }: { readonly agent: SessionAgent; readonly isGiven: boolean },
): Promise<string> {
  const { endpoints } = await userRecords();
  const folder = `${(await appDirs()).of(realpathSync(project))}/sessions`;
  const sent = endpoints.length === 0 ? '' : ` Their text is sent to ${endpoints.join(' and ')}.`;
  const kept = isGiven
    ? `are kept in ${folder} from now on`
    : `would be kept in ${folder} from then on`;
  return `Conversations with ${SESSION_AGENT_LABELS[agent]} ${kept}. Only you can read them, and git ignores them.${sent}\n`;
}

function nextSteps(agent: Agent, project: string, { program }: CommandLineParts): string {
  const { file, next } = agentFile(agent);
  const commit = program.isPortable
    ? ''
    : `Do not commit ${file}: it contains paths of this machine. Install the command globally and run connect again for an entry that you can commit.\n`;
  const line = hasInstruction(agent, project)
    ? ''
    : `Recommended line for the agent's instructions (--instructions adds it): "${INSTRUCTION}"\n`;
  return `${commit}${next}\nThen ask your agent: "What does knowledge-store know about this project?"\n${line}`;
}

/** Whether the agent's instructions already have our line; false if the file cannot be read. */
function hasInstruction(agent: Agent, project: string): boolean {
  try {
    return readAndEdit(instructionsFile(agent, { project }), 'add').after === undefined;
  } catch {
    return false;
  }
}

type Edit = 'add' | 'remove';

function preview(file: SettingsFile, edit: Edit, created: CreatedPaths): string {
  const { before, after } = readAndEdit(file, edit, created);
  const path = printableLine(file.path);
  if (edit === 'add') return `${path}\n${escapeControls(after ?? before)}\n`;
  const text = after ?? '(nothing would change)';
  const isDeleted = becomesDeleted(file.path, text, created);
  return `${path}\n${isDeleted ? '(the file would be deleted)' : escapeControls(text)}\n`;
}

function change(file: SettingsFile, edit: Edit, created: CreatedPaths): string {
  const { part } = file;
  const path = printableLine(file.path);
  if (applyEdit(file, edit, created)) {
    return `${path} ${edit === 'remove' ? 'no longer has' : 'now has'} the ${part}.\n`;
  }
  const state = edit === 'remove' ? 'does not have' : 'already has';
  return `${path} ${state} the ${part}; nothing was changed.\n`;
}
