import { setTimeout as pause } from 'node:timers/promises';
import { processesOf } from '../../test/support/processes.js';
import { eventually } from '../../test/support/running-service.js';
import { API, type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { killedCarelessWriter } from './killed.js';
import type { Random } from './random.js';

const CONNECTIONS = 10;
const WRITERS = 3;
const FILES = 40;
const KILLS_FOR_A_STOP = 25;
const LONGEST_OF_OTHERS_MS = 1_000;
const LONGEST_OF_STOPPED_MS = 25_000;
/** Until the worker that was killed last is replaced. */
const RESTART_MS = 5_000;

/** F23: worker processes are killed, and stopped, under 10 connections. */
export const killedWorkers: FaultFamily = {
  name: 'F23',
  title: 'killed and stopped workers',
  defaultRounds: 100,
  async run({ rounds, random }) {
    const client = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' });
    const [project, other] = [new TempProject(files()), new TempProject(files())];
    okBody(await client.rebuild(project));
    okBody(await client.rebuild(other));
    const load = new Load(client, project);
    const others = new Load(client, other);
    await killWorkers(client, { rounds, random, load });
    const wrong: string[] = [];
    const stops = Math.floor(rounds / KILLS_FOR_A_STOP);
    for (let stop = 0; stop < stops; stop += 1)
      wrong.push(...(await stopWorker(client, random, [load, others])));
    await Promise.all([load.end(), others.end()]);
    const lost = await lostNotes(client, project, load.confirmed);
    await client.service.stop();
    wrong.push(
      ...load.wrong,
      ...others.wrong,
      ...problemsIn(project.database, { project: project.path }),
    );
    for (const each of [project, other]) each.remove();
    return {
      rounds,
      acknowledged: load.answered,
      lost: lost.length,
      wrong: [...lost, ...wrong],
      notes: [
        `${load.confirmed.length} notes confirmed, ${load.refused} of ${load.answered + load.refused} requests were 503`,
        `${stops} stops; the slowest search of another project took ${Math.round(slowestOfOthers([load, others]))} ms`,
      ],
    };
  },
  negativeControl: killedCarelessWriter,
};

function files(): Readonly<Record<string, string>> {
  const names = Array.from({ length: FILES }, (_, index) => `docs/${index}.md`);
  return Object.fromEntries(names.map((name) => [name, `## ${name}\n\nThe walrus swims.\n`]));
}

/** Ten clients of a project that search, and some that write. */
class Load {
  readonly confirmed: string[] = [];
  readonly wrong: string[] = [];
  answered = 0;
  refused = 0;
  slowestMs = 0;
  readonly #client: Client;
  readonly #project: TempProject;
  readonly #ended: Promise<unknown>;
  #isEnding = false;

  constructor(client: Client, project: TempProject) {
    this.#client = client;
    this.#project = project;
    const clients = Array.from({ length: CONNECTIONS }, (_, number) => this.#ask(number));
    this.#ended = Promise.all(clients);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
  }

  async #ask(number: number): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn += 1) {
      if (number < WRITERS) await this.#write(`note-${number}-${turn}`);
      else await this.#search();
      await pause(5);
    }
  }

  async #search(): Promise<void> {
    const begin = performance.now();
    const { status, text, body } = await this.#client.search(this.#project, 'walrus');
    this.slowestMs = Math.max(this.slowestMs, performance.now() - begin);
    this.#count(status, text);
    if (status === 200 && body.results.length === 0) this.wrong.push('a search found nothing');
  }

  async #write(id: string): Promise<void> {
    const fields = { id, title: id, content: `The tapir of ${id} waits.`, force: true };
    const { status, text } = await this.#client.post('/x/notes', this.#project, fields);
    this.#count(status, text);
    if (status === 201) this.confirmed.push(id);
  }

  #count(status: number, text: string): void {
    if (status === 503) this.refused += 1;
    else this.answered += 1;
    if (![200, 201, 503].includes(status)) this.wrong.push(`HTTP ${status}: ${text}`);
  }
}

interface Kills {
  readonly rounds: number;
  readonly random: Random;
  readonly load: Load;
}

/** Each kill comes after something was answered, so that a worker is there. */
async function killWorkers(client: Client, { rounds, random, load }: Kills): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const { answered } = load;
    await eventually(() => load.answered > answered + CONNECTIONS, {
      withinMs: 60_000,
      everyMs: 2,
    });
    await pause(random.below(100));
    signalWorker(client, random, 'SIGKILL');
  }
}

/** What is wrong while one of the workers stands still. */
async function stopWorker(
  client: Client,
  random: Random,
  loads: readonly Load[],
): Promise<readonly string[]> {
  await pause(RESTART_MS);
  for (const load of loads) load.slowestMs = 0;
  const begin = performance.now();
  const pid = signalWorker(client, random, 'SIGSTOP');
  await pause(LONGEST_OF_STOPPED_MS);
  const isThere = processesOf(client.service.process.pid).includes(pid);
  const slowestMs = slowestOfOthers(loads);
  return [
    ...(isThere
      ? [`a stopped worker is there after ${Math.round(performance.now() - begin)} ms`]
      : []),
    ...(slowestMs > LONGEST_OF_OTHERS_MS
      ? [`a search of another project took ${Math.round(slowestMs)} ms`]
      : []),
  ];
}

/** The project that the worker was stopped in waits until that is replaced; the other one must not. */
function slowestOfOthers(loads: readonly Load[]): number {
  return Math.min(...loads.map(({ slowestMs }) => slowestMs));
}

function signalWorker(client: Client, random: Random, signal: NodeJS.Signals): number {
  const [, ...workers] = processesOf(client.service.process.pid);
  const pid = random.pick(workers);
  process.kill(pid, signal);
  return pid;
}

async function lostNotes(
  client: Client,
  project: TempProject,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { sources } = okBody(
    await client.service.get(`${API}/x/sources?projectPath=${encodeURIComponent(project.path)}`),
  );
  const found = new Set(sources.map(({ sourceFile }: { sourceFile: string }) => sourceFile));
  return ids
    .filter((id) => !found.has(`.knowledge/notes/${id}.md`))
    .map((id) => `I5 the note ${id} is gone`);
}
