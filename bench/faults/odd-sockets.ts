import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { processesOf } from '../../test/support/processes.js';
import { eventually } from '../../test/support/running-service.js';
import type { FaultFamily } from './family.js';
import { isAlive, LocalWorld, unspoken } from './local-world.js';

/** L3: odd things in the place of the local service's socket. Only root can plant files of another user. */
export const oddSockets: FaultFamily = {
  name: 'L3',
  title: 'odd sockets and pid files',
  defaultRounds: 1,
  async run({ rounds }) {
    const wrong: string[] = [];
    const notes: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const [what, { plant, serves }] of Object.entries(SITUATIONS)) {
        const world = await LocalWorld.open(mayPlant ? USER : undefined);
        const { socket, usualMs } = await placeOf(world);
        const planted = await plant(socket);
        const end = await world.run(['sources']);
        notes.push(`${what}: ${Math.round(end.tookMs)} ms, usually ${Math.round(usualMs)} ms`);
        const isRight = end.code === 0 && end.out.includes('docs/walrus.md');
        if (!isRight)
          wrong.push(`${what}: ${unspoken(end) ?? `${end.code} ${end.out}${end.err.trim()}`}`);
        if (world.supervisors().length !== (serves ? 1 : 0))
          wrong.push(`${what}: ${world.supervisors().length} services run`);
        if (serves && mayPlant && isOpenTo(STRANGER, socket))
          wrong.push(`${what}: another user can open the socket`);
        await planted?.close();
        await world.close();
      }
    }
    const count = rounds * Object.keys(SITUATIONS).length;
    return { rounds: count, acknowledged: count - wrong.length, lost: 0, wrong, notes };
  },
  negativeControl: async () => {
    const world = await LocalWorld.open();
    const { socket } = await placeOf(world);
    const silent = await listening(socket, () => undefined);
    // A client that waits for a response without a limit.
    const answered = await Promise.race([
      fetchFrom(socket),
      new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), 1_000)),
    ]);
    await silent.close();
    await world.close();
    return answered === 'nothing' ? ['a client without a limit would wait for ever'] : [];
  },
};

const mayPlant = process.getuid?.() === 0;
const USER = 54_321;
const STRANGER = 54_322;

interface Planted {
  close(): Promise<void>;
}

interface Situation {
  readonly plant: (socket: string) => Promise<Planted | undefined> | undefined;
  /** Whether a local service starts nevertheless. */
  readonly serves: boolean;
}

const pidFile = (socket: string) => socket.replace(/sock$/, 'pid');

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a socket that a dead process left': {
    plant: async (socket) => {
      const program = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
      try {
        execFileSync(process.execPath, ['-e', program], { stdio: 'ignore' });
      } catch {
        // The program killed itself.
      }
      if (!existsSync(socket)) throw new Error('No socket was left.');
      return undefined;
    },
    serves: true,
  },
  'a pid file that names another program': {
    plant: async (socket) => {
      writeFileSync(pidFile(socket), String(process.pid));
      chmodSync(pidFile(socket), 0o666);
      return undefined;
    },
    serves: true,
  },
  'a file that is no socket': {
    plant: async (socket) => void writeFileSync(socket, 'text'),
    serves: true,
  },
  'a socket that answers nonsense': {
    plant: (socket) => listening(socket, (connection) => connection.end('hello\r\n')),
    serves: true,
  },
  'a socket that answers as another service': {
    plant: (socket) =>
      listening(socket, (connection) =>
        connection.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
      ),
    serves: true,
  },
  'a socket that hangs up': {
    plant: (socket) => listening(socket, (connection) => connection.destroy()),
    serves: true,
  },
  'a socket that answers nothing': {
    plant: (socket) => listening(socket, () => undefined),
    serves: false,
  },
  ...(mayPlant && {
    'a socket of another user': {
      plant: async (socket: string) => {
        const planted = await listening(socket, () => undefined);
        chownSync(socket, STRANGER, STRANGER);
        chmodSync(socket, 0o600);
        return planted;
      },
      serves: true,
    },
    'a folder of another user': {
      plant: async (socket: string) => {
        const folder = join(socket, '..');
        chownSync(folder, STRANGER, STRANGER);
        chmodSync(folder, 0o777);
        const planted = await listening(socket, (connection) => connection.end('hello\r\n'));
        return {
          close: async () => {
            await planted.close();
            rmSync(folder, { recursive: true });
          },
        };
      },
      serves: false,
    },
  }),
};

/** Where the service of this world listens. Starts the service to find out, and stops it again. */
async function placeOf(world: LocalWorld) {
  await world.run(['ingest', '--no-vectors']);
  const { tookMs: usualMs } = await world.run(['sources']);
  const [name = ''] = readdirSync(world.serviceFolder).filter((file) => file.endsWith('.sock'));
  const pids = world.supervisors().flatMap(processesOf);
  await world.run(['stop']);
  await eventually(() => !pids.some(isAlive));
  return { socket: join(world.serviceFolder, name), usualMs };
}

async function listening(
  socket: string,
  serve: Parameters<typeof createServer>[1],
): Promise<Planted> {
  const server: Server = createServer((connection) => {
    connection.on('error', () => undefined).resume();
    serve?.(connection);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  if (mayPlant) chownSync(socket, USER, USER);
  return { close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function fetchFrom(socket: string): Promise<string> {
  const program = `require('net').connect(${JSON.stringify(socket)}).on('data', String)`;
  return new Promise((resolve) => {
    try {
      execFileSync(process.execPath, ['-e', program], { timeout: 500 });
      resolve('something');
    } catch {
      resolve('nothing');
    }
  });
}

/** Whether another user can connect to the socket. */
function isOpenTo(user: number, socket: string): boolean {
  const program = `require('net').connect(${JSON.stringify(socket)}).on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
  try {
    execFileSync(process.execPath, ['-e', program], { uid: user, gid: user, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
