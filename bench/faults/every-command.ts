import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, runCommand } from '../../test/support/running-service.js';
import type { FaultFamily } from './family.js';
import { type CommandEnd, giveTo, LocalWorld, unspoken } from './local-world.js';

/**
 * L4: runs every command where no local service can run, and where the project cannot be written. If root starts it,
 * the commands run as another user.
 */
export const everyCommand: FaultFamily = {
  name: 'L4',
  title: 'every command without a service',
  defaultRounds: 1,
  async run({ rounds }) {
    const wrong = [...(await unlisted())];
    const notes: string[] = [];
    const places = Array.from({ length: rounds }, () => Object.entries(PLACES)).flat();
    for (const [where, prepare] of places) {
      const world = await LocalWorld.open(USER);
      await world.run(['ingest', '--no-vectors']);
      chmodSync(world.project.path, 0o755);
      const { environment, isReadOnly, isEmpty = false } = prepare(world);
      const refused: string[] = [];
      for (const command of COMMANDS) {
        const end = await world.run(command.words, command.input, environment);
        const mayFail = isEmpty || (isReadOnly && command.writes === true);
        const { says: _says, ...silent } = command;
        const sentence = unspoken(end) ?? unexpected(end, isEmpty ? silent : command, mayFail);
        if (sentence !== undefined) wrong.push(`${where}: ${sentence}`);
        if (end.code !== 0) refused.push(`${command.words.join(' ')}: ${end.err.trim()}`);
        if (world.supervisors().length > 0 && !isReadOnly)
          wrong.push(`${where}: "${command.words.join(' ')}" started a service`);
      }
      notes.push(`${where}: ${COMMANDS.length} commands, refused ${refused.length}`, ...refused);
      await world.close();
    }
    const count = COMMANDS.length * places.length;
    return { rounds: count, acknowledged: count - wrong.length, lost: 0, wrong, notes };
  },
  negativeControl: async () => {
    const end = { words: ['search'], code: 13, out: '', err: '', tookMs: 1 };
    return [unspoken(end) ?? []].flat();
  },
};

interface Command {
  readonly words: readonly string[];
  readonly input?: string;
  /** Set if the command may be refused where nothing can be written. */
  readonly writes?: true;
  /** Exit code where the command works; default 0. */
  readonly code?: number;
  readonly says?: RegExp;
}

const COMMANDS: readonly Command[] = [
  { words: ['search', 'walrus'], says: /The walrus swims/ },
  { words: ['get', 'docs/walrus.md'], says: /The walrus swims/ },
  { words: ['lessons', 'Walrus'] },
  { words: ['similar', 'The walrus swims'] },
  { words: ['note', 'add', 'n1', 'A first note.'], writes: true },
  { words: ['note', 'list'] },
  { words: ['note', 'append', 'n1', 'More.'], writes: true },
  { words: ['note', 'replace', 'n1', 'n1', 'Other words.'], writes: true },
  { words: ['note', 'delete', 'n1'], writes: true },
  { words: ['note', 'add', '--user', 'u1', 'For all projects.'] },
  { words: ['note', 'list', '--user'], says: /u1/ },
  { words: ['page', 'http://127.0.0.1:9/'], code: 1 },
  { words: ['init'], writes: true },
  { words: ['ingest'], writes: true },
  { words: ['ingest', '--wait'], writes: true },
  { words: ['rebuild'], writes: true },
  { words: ['sources'], says: /docs\/walrus\.md/ },
  { words: ['stale'] },
  { words: ['status'] },
  { words: ['eval', '--init'], writes: true },
  { words: ['eval', 'questions.yaml'], writes: true },
  { words: ['connect', 'claude', '--print'] },
  { words: ['connect', 'claude', '--hooks'], writes: true },
  { words: ['session-start', '--task', 'walrus'] },
  { words: ['session-prompt'], input: '{"prompt":"walrus","session_id":"1"}' },
  { words: ['session-end'], input: '{}' },
  { words: ['api', 'GET', '/stats'], says: /totalChunks/ },
  { words: ['api', 'GET', '/stats', '--in-process'], says: /totalChunks/ },
  { words: ['mcp'], input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n', says: /"id":1/ },
  { words: ['prune', '--dry-run'] },
  { words: ['compact', 'gotchas'], code: 1 },
  { words: ['models'] },
  { words: ['models', 'pull'] },
  { words: ['doctor'], writes: true },
  { words: ['import', 'missing.db'], code: 1 },
  { words: ['stop'] },
  { words: ['uninstall', '--yes'], writes: true },
];

/** Commands that never use the local service; `serve` also runs until it is stopped. */
const NOT_RUN: readonly string[] = ['serve', 'help'];

/** Commands of the help that are missing from this list. */
async function unlisted(): Promise<readonly string[]> {
  const { out } = await runCommand(['--help'], '/');
  const names = [...out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);
  const known = new Set([...COMMANDS.map(({ words }) => words[0]), ...NOT_RUN]);
  const missing = names.filter((name) => !known.has(name));
  return names.length < 20
    ? ['The help was not understood.']
    : missing.map((name) => `"${name}" is not run`);
}

function unexpected(
  { words, code, out, err }: CommandEnd,
  { code: right = 0, says }: Command,
  mayFail: boolean,
): string | undefined {
  if (mayFail && code === 1) return undefined;
  const isRight = code === right && (code !== 0 || says === undefined || says.test(out));
  return isRight
    ? undefined
    : `"${words.join(' ')}" ended with ${code}: ${out.trim()} ${err.trim()}`;
}

const isRoot = process.getuid?.() === 0;
const USER = isRoot ? 54_321 : undefined;
const STRANGER = 54_322;

interface PreparedPlace {
  readonly environment: Environment;
  readonly isReadOnly: boolean;
  /** Set if this user can neither open nor create a store; commands may then fail with an error. */
  readonly isEmpty?: true;
}

const PLACES: Readonly<Record<string, (world: LocalWorld) => PreparedPlace>> = {
  'KNOWLEDGE_SERVICE=off': () => ({
    environment: { KNOWLEDGE_SERVICE: 'off' },
    isReadOnly: false,
  }),
  'sockets refused': (world) => ({
    environment: { NODE_OPTIONS: `--require ${withoutSockets(world)}` },
    isReadOnly: false,
  }),
  ...(isRoot && {
    'a folder without write permission': (world: LocalWorld) => {
      execFileSync('chmod', ['-R', 'a-w', world.project.path]);
      return { environment: {}, isReadOnly: true };
    },
    'a folder of another user': (world: LocalWorld) => {
      giveTo(STRANGER, world.project.path);
      return { environment: {}, isReadOnly: true, isEmpty: true };
    },
    'a folder of another user, nothing indexed': (world: LocalWorld) => {
      rmSync(join(world.project.path, '.knowledge'), { recursive: true });
      giveTo(STRANGER, world.project.path);
      return { environment: {}, isReadOnly: true, isEmpty: true };
    },
  }),
};

/** Writes a script to preload, which refuses Unix sockets like a sandbox. */
function withoutSockets({ environment }: LocalWorld): string {
  const file = join(environment['HOME'] ?? '', 'without-sockets.cjs');
  writeFileSync(
    file,
    `const { Server, Socket } = require('node:net');
     const refused = () => Object.assign(new Error('connect EPERM'), { code: 'EPERM' });
     const path = ([first]) => typeof first === 'string' ? first : (Array.isArray(first) ? first[0]?.path : first?.path);
     const { connect } = Socket.prototype;
     Socket.prototype.connect = function (...args) {
       if (!path(args)) return connect.apply(this, args);
       process.nextTick(() => this.destroy(refused()));
       return this;
     };
     const { listen } = Server.prototype;
     Server.prototype.listen = function (...args) {
       if (!path(args)) return listen.apply(this, args);
       process.nextTick(() => this.emit('error', refused()));
       return this;
     };`,
  );
  if (USER !== undefined) chownSync(file, USER, USER);
  return file;
}
