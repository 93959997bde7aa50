import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CHECKOUT } from '../../test/support/running-service.js';

/**
 * Figures of the local service in docs/performance.md, of one or more built checkouts in turn; Linux only. Run it on a
 * quiet machine:
 *
 *   npx tsx bench/local-service/figures.ts <checkout> [<checkout> …] [--project <directory>] [--models <directory>] [--rounds N]
 *     [--ingest] [--idle-seconds N] [--unloaded]
 *
 * --ingest also compares `ingest` and then `ingest --wait` with `ingest --wait` alone, which takes minutes. --unloaded
 * waits until the model is unloaded, which takes six.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    project: { type: 'string' },
    models: { type: 'string', default: join(CHECKOUT, '../shared/models') },
    rounds: { type: 'string', default: '10' },
    'idle-seconds': { type: 'string', default: '60' },
    ingest: { type: 'boolean', default: false },
    unloaded: { type: 'boolean', default: false },
  },
});
const checkouts = positionals.length === 0 ? [CHECKOUT] : positionals.map((path) => resolve(path));
const rounds = Number(values.rounds);
const AGENTS = 3;
/** The model is unloaded five minutes after the last semantic query. */
const UNLOADED_MS = 6 * 60_000;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK']));

type Row = Record<string, number | string>;

const rows: Record<string, Row> = {};
for (const checkout of checkouts) {
  process.stderr.write(`${checkout}\n`);
  const row = await figuresOf(checkout);
  const name = basename(checkout) in rows ? checkout : basename(checkout);
  rows[name] = row;
}
console.table(transposed(rows));

async function figuresOf(checkout: string): Promise<Row> {
  const user = newUser(checkout);
  try {
    const row: Row = {
      '--help: s': await median(() => user.timed(['--help'])),
      ...(values.ingest && (await ingestions(checkout))),
    };
    await user.timed(['ingest', '--wait']);
    row['search, first: s'] = await user.timed(['search', 'how are locks taken']);
    row['search by meaning, warm: s'] = await median(() =>
      user.timed(['search', 'how are locks taken']),
    );
    row['search by meaning, warm: CPU s'] = await median(() =>
      user.cpuOf(['search', 'how are locks taken']),
    );
    await user.timed(['stop'], 'whatever its code');
    row['start of the service and first answer: s'] = await median(async () => {
      await user.timed(['stop'], 'whatever its code');
      return user.timed(['sources', '--json']);
    }, 3);
    Object.assign(row, await agentsAtWork(user));
    return row;
  } finally {
    await user.timed(['stop'], 'whatever its code');
    user.remove();
  }
}

/** The memory of three agents' servers after a search each, and the CPU time of a minute without work. */
async function agentsAtWork(user: User): Promise<Row> {
  const agents = Array.from({ length: AGENTS }, () => user.agent());
  for (const agent of agents) {
    const answer = await agent.search('how are locks taken');
    if (!answer.includes('relevance')) throw new Error(`An agent was answered: ${answer}`);
  }
  await pause(30_000);
  const servers = agents.map(({ pid }) => pid);
  const all = user.processes();
  const others = all.filter((pid) => !servers.includes(pid));
  const row: Row = {
    'one mcp: MB': Math.round(pss(servers.slice(0, 1))),
    'service, 30 s after a search: MB': Math.round(pss(others)),
    'three mcp and service: MB': Math.round(pss(all)),
  };
  const [before, beganAt] = [cpu(all), performance.now()];
  await pause(Number(values['idle-seconds']) * 1000);
  const minutes = (performance.now() - beganAt) / 60_000;
  row['idle: CPU s per minute'] = rounded((cpu(all) - before) / minutes);
  if (values.unloaded) {
    await pause(UNLOADED_MS);
    row['service, model unloaded: MB'] = Math.round(pss(others));
  }
  for (const agent of agents) agent.end();
  // A bridge that is still alive would start the service again.
  while (user.processes().some((pid) => servers.includes(pid))) await pause(100);
  return row;
}

/** Compares two ways to ingest and embed, each for a new user without vectors. */
async function ingestions(checkout: string): Promise<Row> {
  const alone = newUser(checkout);
  const aloneS = await alone.timed(['ingest', '--wait']);
  await alone.timed(['stop'], 'whatever its code');
  alone.remove();
  const twice = newUser(checkout);
  const firstS = await twice.timed(['ingest']);
  const bothS = firstS + (await twice.timed(['ingest', '--wait']));
  await twice.timed(['stop'], 'whatever its code');
  twice.remove();
  return {
    'ingest --wait alone: s': aloneS,
    'ingest, until words are found: s': firstS,
    'ingest, then --wait: s': rounded(bothS),
    'ratio (≤ 1.1)': rounded(bothS / aloneS),
  };
}

type User = ReturnType<typeof newUser>;

/** Creates a user with a home, a data folder with the model, and a copy of the project. */
function newUser(checkout: string) {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-figures-'));
  const project = join(folder, 'project');
  const data = join(folder, 'data');
  const cli = join(checkout, 'dist/cli.js');
  if (!existsSync(cli)) throw new Error(`${cli} is missing: build the checkout first.`);
  if (!existsSync(values.models)) throw new Error(`There are no models at ${values.models}.`);
  mkdirSync(data);
  symlinkSync(resolve(values.models), join(data, 'models'));
  if (values.project === undefined) copyDocs(project);
  else cpSync(resolve(values.project), project, { recursive: true });
  mkdirSync(join(project, '.git'), { recursive: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    DATA_DIR: data,
    KNOWLEDGE_OFFLINE: '1',
  };
  const run = (words: readonly string[]) =>
    execFileSync(process.execPath, [cli, ...words], { cwd: project, env, stdio: 'pipe' });
  const timed = async (
    words: readonly string[],
    codes: 'ends with 0' | 'whatever its code' = 'ends with 0',
  ) => {
    const begin = performance.now();
    try {
      run(words);
    } catch (error) {
      // An older checkout lacks this command.
      if (codes === 'ends with 0') throw error;
    }
    return rounded((performance.now() - begin) / 1000);
  };
  return {
    timed,
    cpuOf,
    agent: () => newAgent(cli, project, env),
    processes: () => processesWith(`DATA_DIR=${data}`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };

  /** CPU time of a command (user and system) in seconds, as the shell measures it for child processes. */
  async function cpuOf(words: readonly string[]): Promise<number> {
    const quoted = [process.execPath, cli, ...words].map((word) => `'${word}'`).join(' ');
    const script = `TIMEFORMAT='%U %S'; { time ${quoted} >/dev/null 2>/dev/null; } 2>&1`;
    const times = execFileSync('bash', ['-c', script], { cwd: project, env });
    const [userS = Number.NaN, systemS = Number.NaN] = times
      .toString()
      .trim()
      .split(' ')
      .map(Number);
    return rounded(userS + systemS);
  }
}

/** Copies the documents of this checkout, so that all checkouts search the same text. */
function copyDocs(project: string): void {
  cpSync(join(CHECKOUT, 'docs'), join(project, 'docs'), { recursive: true });
}

/** Starts an MCP server on standard input and output, and a client for it. */
function newAgent(cli: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [cli, 'mcp'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = new Map<number, (line: string) => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) answers.get(Number(JSON.parse(line).id))?.(line);
  });
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (id: number, method: string, params: object) =>
    new Promise<string>((done) => {
      answers.set(id, done);
      send({ id, method, params });
    });
  const ready = ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'figures', version: '1' },
  }).then(() => send({ method: 'notifications/initialized' }));
  return {
    pid: child.pid ?? 0,
    search: async (query: string) => {
      await ready;
      return ask(2, 'tools/call', { name: 'search', arguments: { query } });
    },
    end: () => child.stdin.end(),
  };
}

/** The processes with a variable in their environment. */
function processesWith(variable: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(variable))
    .map(Number);
}

/** Reads a file of /proc; empty if the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Proportional set size of processes, in MB. */
function pss(pids: readonly number[]): number {
  const rollups = pids.map((pid) => textOf(`/proc/${pid}/smaps_rollup`));
  return rollups.reduce((sum, one) => sum + Number(/^Pss: +(\d+)/m.exec(one)?.[1] ?? 0), 0) / 1024;
}

/** CPU time of processes (user and system), in seconds. */
function cpu(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = textOf(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

async function median(measure: () => Promise<number>, times = rounds): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < times; round += 1) measured.push(await measure());
  return measured.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A table with one row per figure and one column per checkout. */
function transposed(table: Readonly<Record<string, Row>>): Record<string, Row> {
  const names = [...new Set(Object.values(table).flatMap(Object.keys))];
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(Object.entries(table).map(([of, row]) => [of, row[name] ?? '–'])),
    ]),
  );
}
