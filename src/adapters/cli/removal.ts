import { errorReason } from '../../domain/errors.js';
import { AGENT_IDS } from './agent-table.js';
import { type Connection, entryFile, hooksFile, instructionsFile } from './agents.js';
import type { CommandLineParts } from './command-line-parts.js';
import { findProject } from './project-directory.js';
import { applyEdit, readAndEdit, type SettingsFile } from './settings-file.js';
import { printableLine } from './text/format.js';

interface Removal {
  /** The value of `--project`. */
  readonly projectPath: unknown;
  readonly withNotes: boolean;
  readonly isConfirmed: boolean;
}

/** Removes the agent entries of a project and our files in the user's data folder. Shows the list first. */
export async function removeOurs(
  parts: CommandLineParts,
  { projectPath, withNotes, isConfirmed }: Removal,
): Promise<void> {
  const { terminal } = parts;
  const project = await findProject(parts, projectPath).catch(() => undefined);
  const settings = project === undefined ? [] : ourSettings(parts, project.path);
  const data = await parts.userData({ notes: withNotes ? 'removed' : 'kept' });
  const entries = new Set(settings.map(({ path, part }) => `${path} (our ${part})`));
  const removed = [...entries, ...data.paths];
  if (removed.length === 0) return terminal.out('There is nothing to remove.\n');
  terminal.out(listPaths('To be removed:', removed));
  const others = data.projects.filter((path) => path !== project?.path);
  const kept = others.flatMap((path) => ourSettings(parts, path).map((file) => file.path));
  if (kept.length > 0) terminal.out(listPaths(OTHERS, [...new Set(kept)]));
  const asks = !isConfirmed && terminal.isInteractive;
  if (asks && !(await terminal.confirm('Remove all of this?'))) {
    throw new Error('Nothing was removed.');
  }
  await parts.stopServices();
  const { created } = await parts.userRecords();
  for (const file of settings) applyEdit(file, 'remove', created);
  data.remove();
  terminal.out(
    'Removed. To remove the command as well, run "npm uninstall --global knowledge-store".\n',
  );
  if (data.projectFolders.length > 0) {
    terminal.out(listPaths('These project folders stay:', data.projectFolders));
  }
}

const OTHERS =
  'Other projects keep their agent entries. To remove them, run "knowledge-store connect <agent> --remove" there first:';

/** Returns the files of a project that still have something of ours. */
function ourSettings(parts: CommandLineParts, project: string): readonly SettingsFile[] {
  return settingsFiles({ ...parts, project }).filter((file) => {
    try {
      return readAndEdit(file, 'remove').after !== undefined;
    } catch (error) {
      parts.terminal.err(`${printableLine(errorReason(error))}\n`);
      return false;
    }
  });
}

function settingsFiles(connection: Connection): readonly SettingsFile[] {
  return [
    ...AGENT_IDS.flatMap((agent) => [
      entryFile(agent, connection),
      instructionsFile(agent, connection),
    ]),
    ...AGENT_IDS.flatMap((agent) => hooksFile(agent, connection) ?? []),
  ];
}

function listPaths(title: string, paths: readonly string[]): string {
  return [title, ...paths.map((path) => `  ${printableLine(path)}`), ''].join('\n');
}
