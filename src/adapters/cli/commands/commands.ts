import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** Adds the description, the arguments, the options and the action of a command. */
type Declare = (command: Command, context: CommandContext) => void;

/** A command as the list in the help of the program has it. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  /** Loads the rest. */
  readonly load: () => Promise<Declare>;
}

/** The headings of the list, each with its commands. */
export const COMMANDS: Readonly<Record<string, readonly ListedCommand[]>> = {
  'Knowledge:': [
    {
      name: 'search',
      summary: 'find what is known about something',
      load: async () => (await import('./search.js')).declareSearch,
    },
    {
      name: 'lessons',
      summary: 'show what earlier features teach about the next one',
      load: async () => (await import('./lessons.js')).declareLessons,
    },
    {
      name: 'similar',
      summary: 'find chunks that are like a text',
      load: async () => (await import('./lessons.js')).declareSimilar,
    },
    {
      name: 'note',
      summary: 'keep something worth knowing',
      load: async () => (await import('./note.js')).declareNote,
    },
  ],
  'Index:': [
    {
      name: 'init',
      summary: 'write the recommended settings of a project',
      load: async () => (await import('./init.js')).declareInit,
    },
    {
      name: 'ingest',
      summary: 'index what is new or changed',
      load: async () => (await import('./ingest.js')).declareIngest,
    },
    {
      name: 'rebuild',
      summary: 'read all sources again and rebuild the index',
      load: async () => (await import('./ingest.js')).declareRebuild,
    },
    {
      name: 'sources',
      summary: 'list the indexed files, or delete one from the index',
      load: async () => (await import('./sources.js')).declareSources,
    },
    {
      name: 'stats',
      summary: 'show what is indexed',
      load: async () => (await import('./stats.js')).declareStats,
    },
    {
      name: 'status',
      summary: 'show how far vectors and questions are',
      load: async () => (await import('./stats.js')).declareStatus,
    },
  ],
  'Upkeep:': [
    {
      name: 'prune',
      summary: 'delete chunks that nobody needs',
      load: async () => (await import('./upkeep.js')).declarePrune,
    },
    {
      name: 'compact',
      summary: 'summarize a memory file that has grown too long',
      load: async () => (await import('./upkeep.js')).declareCompact,
    },
    {
      name: 'models',
      summary: 'list or download embedding models',
      load: async () => (await import('./models.js')).declareModels,
    },
  ],
  'When it breaks:': [
    {
      name: 'doctor',
      summary: 'say what is wrong with the store, and repair it',
      load: async () => (await import('./doctor.js')).declareDoctor,
    },
    {
      name: 'backup',
      summary: 'copy the database while it is in use',
      load: async () => (await import('./archives.js')).declareBackup,
    },
    {
      name: 'restore',
      summary: 'put a backup in the place of the database',
      load: async () => (await import('./archives.js')).declareRestore,
    },
    {
      name: 'export',
      summary: 'write everything as JSON lines',
      load: async () => (await import('./archives.js')).declareExport,
    },
    {
      name: 'import',
      summary: 'add what an export holds',
      load: async () => (await import('./archives.js')).declareImport,
    },
  ],
  'Service:': [
    {
      name: 'serve',
      summary: 'serve HTTP, for agents and programs',
      load: async () => (await import('./serve.js')).declareServe,
    },
    {
      name: 'mcp',
      summary: 'serve MCP on standard input and output, for an agent',
      load: async () => (await import('./serve.js')).declareMcp,
    },
  ],
  'Terminal:': [
    {
      name: 'completion',
      summary: 'print a script for completion in a shell',
      load: async () => (await import('./completion.js')).declareCompletion,
    },
  ],
};
