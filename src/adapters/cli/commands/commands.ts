import type { Declare } from './project-command.js';

/** A command as the list in the help of the program has it. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  /** Loads the rest. */
  readonly load: () => Promise<Declare>;
}

const archives = () => import('./archives.js');
const completion = () => import('./completion.js');
const connect = () => import('./connect.js');
const doctor = () => import('./doctor.js');
const get = () => import('./get.js');
const ingest = () => import('./ingest.js');
const init = () => import('./init.js');
const lessons = () => import('./lessons.js');
const models = () => import('./models.js');
const note = () => import('./note.js');
const routes = () => import('./routes.js');
const search = () => import('./search.js');
const serve = () => import('./serve.js');
const sessions = () => import('./sessions.js');
const sources = () => import('./sources.js');
const stale = () => import('./stale.js');
const stats = () => import('./stats.js');
const upkeep = () => import('./upkeep.js');

/** The headings of the list, each with its commands. */
export const COMMANDS: Readonly<Record<string, readonly ListedCommand[]>> = {
  'Knowledge:': [
    listed('search', 'find what is known about something', search),
    listed('get', 'print the text of a result, or lines of a file', get),
    listed('lessons', 'show what earlier features teach about the next one', lessons),
    listed('similar', 'find chunks that are like a text', lessons),
    listed('note', 'keep something worth knowing', note),
    listed('page', 'keep the text of a web page', routes),
    listed('document', 'keep a text that is in no file', routes),
    listed('digest', 'summarize a memory file, or an epic', routes),
    listed('complete', 'keep the lessons of a finished feature', routes),
  ],
  'Index:': [
    listed('init', 'write the recommended settings of a project', init),
    listed('ingest', 'index what is new or changed', ingest),
    listed('rebuild', 'read all sources again and rebuild the index', ingest),
    listed('sources', 'list the indexed files, or delete one from the index', sources),
    listed('stale', 'list what no longer holds, because files that it cites have changed', stale),
    listed('stats', 'show what is indexed', stats),
    listed('status', 'show how far vectors and questions are', stats),
  ],
  'Agents and programs:': [
    listed('connect', 'give a coding agent access to this project', connect),
    listed('session-start', 'print what is known about the task at hand', sessions),
    listed('session-end', 'index what was written meanwhile', sessions),
    listed('mcp', 'serve MCP on standard input and output, for an agent', serve),
    listed('serve', 'serve HTTP', serve),
  ],
  'Upkeep:': [
    listed('prune', 'delete chunks that nobody needs', upkeep),
    listed('compact', 'summarize a memory file that has grown too long', upkeep),
    listed('restore', 'take back the last compaction of a memory file', routes),
    listed('models', 'list or download embedding models', models),
    listed('doctor', 'say what is wrong with the store, and repair it', doctor),
    listed('export', 'write everything as JSON lines', archives),
    listed('import', 'add what an export holds', archives),
    listed('completion', 'print a script for completion in a shell', completion),
  ],
};

/** The module of a command exports what it declares under its name. */
function listed<Name extends string>(
  name: Name,
  summary: string,
  load: () => Promise<{ readonly commands: Readonly<Record<Name, Declare>> }>,
): ListedCommand {
  return { name, summary, load: async () => (await load()).commands[name] };
}
