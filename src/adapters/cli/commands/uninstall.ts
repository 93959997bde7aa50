import { reasonOf } from '../../../domain/errors.js';
import { AGENT_NAMES, type Connection, entryFile, hooksFile, instructionsFile } from '../agents.js';
import type { CommandLineParts } from '../command-line-parts.js';
import { projectOf } from '../project-directory.js';
import { applyEdit, editedText, type SettingsFile } from '../settings-file.js';
import { printableLine } from '../text/format.js';
import type { PlainCommand } from './command.js';

export const uninstall: PlainCommand = {
  name: 'uninstall',
  summary: 'remove agent entries and the data of this program',
  description:
    "Stops the local services, removes this project's agent entries and hooks, and deletes our files in your data folder except user notes. Shows the list first. Project folders stay.",
  fields: ['projectPath'],
  options: [
    ['--purge', 'also remove user notes'],
    ['-y, --yes', 'remove without asking'],
  ],
  examples: ['uninstall', 'uninstall --purge --yes'],
  run: async (parts, { projectPath, purge, yes }) => {
    const { terminal } = parts;
    const settings = await ourSettings(parts, projectPath);
    const data = await parts.userData({ notes: purge ? 'removed' : 'kept' });
    const paths = new Set([...settings.map(({ path }) => path), ...data.paths]);
    if (paths.size === 0) return terminal.out('There is nothing to remove.\n');
    terminal.out(listed('To be removed:', [...paths]));
    const asks = !yes && terminal.isInteractive;
    if (asks && !(await terminal.confirm('Remove all of this?'))) {
      throw new Error('Nothing was removed.');
    }
    await parts.stopServices();
    const { created } = await parts.userRecords();
    for (const file of settings) applyEdit(file, 'remove', created);
    data.remove();
    terminal.out('Removed.\n');
    if (data.projectFolders.length > 0) {
      terminal.out(listed('These project folders stay:', data.projectFolders));
    }
  },
};

/** The files of the project that connect wrote to; none outside of a project. */
async function ourSettings(
  parts: CommandLineParts,
  option: unknown,
): Promise<readonly SettingsFile[]> {
  const project = await projectOf(parts, option).catch(() => undefined);
  if (project === undefined) return [];
  return settingsFiles({ ...parts, project: project.path }).filter((file) => {
    try {
      return editedText(file, 'remove') !== undefined;
    } catch (error) {
      parts.terminal.err(`${printableLine(reasonOf(error))}\n`);
      return false;
    }
  });
}

function settingsFiles(connection: Connection): readonly SettingsFile[] {
  return [
    ...AGENT_NAMES.flatMap((agent) => [
      entryFile(agent, connection),
      instructionsFile(agent, connection),
    ]),
    hooksFile(connection),
  ];
}

function listed(title: string, paths: readonly string[]): string {
  return [title, ...paths.map((path) => `  ${printableLine(path)}`), ''].join('\n');
}
