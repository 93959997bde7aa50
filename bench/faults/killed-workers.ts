import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listeners, processesOf } from '../../test/support/processes.js';
import { eventually } from '../../test/support/running-service.js';
import { API, type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import { percentile } from '../quality/statistics.js';
import type { FaultFamily } from './family.js';
import { killedCarelessWriter } from './killed.js';
import type { Random } from './random.js';

const CONNECTIONS = 10;
const WRITERS = 3;
const FILES = 40;
const KILLS_FOR_A_STOP = 25;
/** The service kills a stopped worker after 10 seconds. */
const LONGEST_STOP_MS = 12_000;
const P99_MS = 250;
/** With fewer responses, a single start of a worker could delay one percent of them. */
const FEWEST_ANSWERS = 2_000;
const LONGEST_OF_NEW_CONNECTIONS_MS = 1_000;
/** Characters of the log to show if workers do not start. */
const LOG_END = 3_000;

/** F23: workers are killed and stopped, under the load of 10 connections. */
export const killedWorkers: FaultFamily = {
  name: 'F23',
  title: 'killed and stopped workers',
  defaultRounds: 100,
  async run({ rounds, random }) {
    const client = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' });
    const project = new TempProject(files());
    okBody(await client.rebuild(project));
    const load = new Load(client, project);
    const wrong: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await pause(random.below(100));
      const isStop = round % KILLS_FOR_A_STOP === 0;
      wrong.push(...(await loseWorker(client, random, isStop ? 'SIGSTOP' : 'SIGKILL')));
    }
    await load.end();
    const { missing, twice } = await compare(client, project, load.confirmed);
    await client.service.stop();
    wrong.push(
      ...missing,
      ...twice,
      ...load.wrong(),
      ...problemsIn(project.database, { project: project.path }),
    );
    project.remove();
    return {
      rounds,
      acknowledged: load.confirmed.length,
      lost: missing.length,
      wrong,
      notes: [load.summary()],
    };
  },
  negativeControl: killedCarelessWriter,
};

function files(): Readonly<Record<string, string>> {
  const names = Array.from({ length: FILES }, (_, index) => `docs/${index}.md`);
  return Object.fromEntries(names.map((name) => [name, `## ${name}\n\nThe walrus swims.\n`]));
}

/** Sends a signal to a worker, and waits until another one has replaced it. */
async function loseWorker(
  client: Client,
  random: Random,
  signal: NodeJS.Signals,
): Promise<readonly string[]> {
  const { pid: primary } = client.service.process;
  const begin = performance.now();
  const pid = random.pick(processesOf(primary).slice(1));
  process.kill(pid, signal);
  await eventually(() => !processesOf(primary).includes(pid));
  const tookMs = performance.now() - begin;
  await eventually(() => listeners(client.service).length === 2).catch((cause) => {
    const log = client.service.stderr().slice(-LOG_END);
    throw new Error(`Two workers did not listen; the log ends with\n${log}`, { cause });
  });
  return tookMs > LONGEST_STOP_MS ? [`a worker was there for ${Math.round(tookMs)} ms`] : [];
}

/** Clients that search and write, each on its own connection, which it reopens after a reset. */
class Load {
  readonly confirmed: string[] = [];
  readonly #latencies: number[] = [];
  readonly #ofNewConnections: number[] = [];
  readonly #wrong: string[] = [];
  readonly #client: Client;
  readonly #project: TempProject;
  readonly #ended: Promise<unknown>;
  #resets = 0;
  #isEnding = false;

  constructor(client: Client, project: TempProject) {
    this.#client = client;
    this.#project = project;
    const clients = Array.from({ length: CONNECTIONS }, (_, number) => this.#run(number));
    this.#ended = Promise.all(clients);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
  }

  wrong(): readonly string[] {
    const slowest = Math.max(...this.#ofNewConnections);
    const isSlow = percentile(this.#latencies, 0.99) > P99_MS;
    const isJudged = this.#latencies.length > FEWEST_ANSWERS;
    return isJudged && (isSlow || slowest > LONGEST_OF_NEW_CONNECTIONS_MS)
      ? [...this.#wrong, this.summary()]
      : this.#wrong;
  }

  summary(): string {
    const answers = `${this.#latencies.length} answers, p99 ${Math.round(percentile(this.#latencies, 0.99))} ms`;
    const first = `slowest first answer on a new connection ${Math.round(Math.max(...this.#ofNewConnections))} ms`;
    return `${answers}; ${this.#resets} resets; ${first}; ${this.confirmed.length} notes confirmed`;
  }

  async #run(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0, isNew = true; !this.#isEnding; turn += 1) {
      const begin = performance.now();
      const id = `note-${number}-${turn}`;
      const status = await (number < WRITERS ? this.#write(agent, id) : this.#search(agent));
      const latency = performance.now() - begin;
      if (status === 'reset') this.#resets += 1;
      else this.#latencies.push(latency);
      if (isNew && status !== 'reset') this.#ofNewConnections.push(latency);
      if (status === 201) this.confirmed.push(id);
      else if (status !== 'reset' && status !== 200 && status !== 503)
        this.#wrong.push(`HTTP ${status}`);
      isNew = status === 'reset';
      await pause(5);
    }
    agent.destroy();
  }

  #search(agent: Agent): Promise<number | 'reset'> {
    return this.#post(agent, '/search', { query: 'walrus' });
  }

  #write(agent: Agent, id: string): Promise<number | 'reset'> {
    const note = { id, title: id, content: `The tapir of ${id} waits.`, force: true };
    return this.#post(agent, '/x/notes', note);
  }

  #post(agent: Agent, path: string, fields: object): Promise<number | 'reset'> {
    const headers = { 'Content-Type': 'application/json' };
    const url = `${this.#client.service.url}${API}${path}`;
    return new Promise((resolve) => {
      const sent = request(url, { method: 'POST', headers, agent }, (response) => {
        const { statusCode = 0 } = response;
        text(response).then(
          () => resolve(statusCode),
          () => resolve('reset'),
        );
      });
      sent.once('error', () => resolve('reset'));
      sent.end(JSON.stringify({ projectPath: this.#project.path, ...fields }));
    });
  }
}

/** Finds confirmed notes that are missing, and notes that exist twice. */
async function compare(client: Client, project: TempProject, confirmed: readonly string[]) {
  const path = `${API}/x/sources?projectPath=${encodeURIComponent(project.path)}`;
  const { sources } = okBody(await client.service.get(path)) as {
    readonly sources: readonly { readonly sourceFile: string; readonly chunks: number }[];
  };
  const chunks = new Map(sources.map((source) => [source.sourceFile, source.chunks]));
  const found = confirmed.map((id) => ({ id, chunks: chunks.get(`.knowledge/notes/${id}.md`) }));
  return {
    missing: found
      .filter((note) => note.chunks === undefined)
      .map(({ id }) => `the note ${id} is gone`),
    twice: found
      .filter((note) => (note.chunks ?? 0) > 1)
      .map(({ id }) => `the note ${id} is there twice`),
  };
}
