import type { PlainCommand } from './command.js';

export const uninstall: PlainCommand = {
  name: 'uninstall',
  summary: 'remove agent entries and the data of this program',
  description:
    "Stops the local services, removes this project's agent entries and hooks, and deletes this program's files in your data folder except user notes. Lists everything first. Project folders stay.",
  fields: ['projectPath'],
  options: [
    ['--purge', 'also remove user notes'],
    ['-y, --yes', 'remove without asking'],
  ],
  examples: ['uninstall', 'uninstall --purge --yes'],
  run: async (parts, { projectPath, purge, yes }) => {
    const { removeOurs } = await import('../removal.js');
    await removeOurs(parts, { projectPath, withNotes: purge === true, isConfirmed: yes === true });
  },
};
