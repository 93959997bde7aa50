import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clientOfProcess, textOf } from '../../test/support/mcp-client.js';
import { processesOf } from '../../test/support/processes.js';
import { CLI, eventually } from '../../test/support/running-service.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { type CommandEnd, LocalWorld, unspoken } from './local-world.js';
import type { Random } from './random.js';

/** L2: the supervisor or the worker of the local service is killed while commands, hooks and MCP clients work. */
export const killedLocalService: FaultFamily = {
  name: 'L2',
  title: 'kill -9 of the local service',
  defaultRounds: 100,
  async run({ rounds, random }) {
    const world = await LocalWorld.open();
    const clients = new Clients(world);
    const kinds = new Map<string, number>();
    await world.run(['ingest']);
    await clients.start();
    for (let round = 1; round <= rounds; round += 1) {
      await pause(random.below(1_500));
      const kind = killOne(world, random);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      await clients.works(`after a kill of the ${kind} in round ${round}`);
      await eventually(() => world.supervisors().length === 1);
    }
    await clients.end();
    const { lost, twice } = await compare(world, clients.confirmed);
    const { database, path } = world.project;
    const problems = problemsIn(database, { project: path });
    await world.close();
    return {
      rounds,
      acknowledged: clients.confirmed.length,
      lost: lost.length,
      wrong: [...lost, ...twice, ...clients.wrong, ...problems],
      notes: [`killed ${JSON.stringify(Object.fromEntries(kinds))}`, ...clients.summary()],
    };
  },
  negativeControl: async () => {
    const world = await LocalWorld.open();
    await world.run(['note', 'add', 'forgotten', 'A text.']);
    await world.run(['note', 'delete', 'forgotten']);
    const { lost } = await compare(world, ['forgotten']);
    await world.close();
    return lost;
  },
};

/** Kills the supervisor or the worker, and returns which. */
function killOne(world: LocalWorld, random: Random): string {
  const [supervisor] = world.supervisors();
  if (supervisor === undefined) return 'service that is not there';
  const kind = random.pick(['supervisor', 'worker'] as const);
  try {
    const [, worker] = processesOf(supervisor);
    const victim = kind === 'worker' ? worker : supervisor;
    if (victim === undefined) return 'worker that is not there';
    process.kill(victim, 'SIGKILL');
    return kind;
  } catch {
    return 'service that has just ended';
  }
}

async function compare(world: LocalWorld, titles: readonly string[]) {
  const names = (await world.indexedNotes()).map((file) => basename(file, '.md'));
  const lost = titles.filter((title) => !names.includes(title));
  const again = names.filter((name) => /-\d+$/.test(name));
  return {
    lost: lost.map((title) => `the note ${title} was confirmed and is gone`),
    twice: again.map((name) => `the note ${name} was saved twice`),
  };
}

type Mcp = Awaited<ReturnType<typeof clientOfProcess>>['client'];

/** Commands, hooks and two MCP clients that work at the same time. */
class Clients {
  readonly confirmed: string[] = [];
  readonly wrong: string[] = [];
  readonly #world: LocalWorld;
  readonly #counts = new Map<string, number>();
  readonly #sentences = new Map<string, number>();
  #works: readonly Promise<void>[] = [];
  #slowest = { what: '', tookMs: 0 };
  #isEnding = false;

  constructor(world: LocalWorld) {
    this.#world = world;
  }

  async start(): Promise<void> {
    const clients = await Promise.all([this.#mcpClient('m1'), this.#mcpClient('m2')]);
    this.#works = [
      this.#notes(),
      this.#searches(),
      this.#hooks(),
      ...clients.map((client, index) => this.#calls(client, `m${index + 1}`)),
    ];
  }

  /** Runs a search and then adds a note right after a kill. Both must succeed. */
  async works(when: string): Promise<void> {
    const search = await this.#run(['search', 'walrus']);
    if (search.code !== 0 || !search.out.includes('The walrus swims.'))
      this.wrong.push(`${when}: "search" ended with ${search.code}: ${search.err.trim()}`);
    const title = `next${this.confirmed.length}`;
    const note = await this.#run(['note', 'add', title, `The text of ${title}.`]);
    if (note.code === 0) this.confirmed.push(title);
    else this.wrong.push(`${when}: "note add" ended with ${note.code}: ${note.err.trim()}`);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#works);
  }

  summary(): readonly string[] {
    const { what, tookMs } = this.#slowest;
    return [
      `answers ${JSON.stringify(Object.fromEntries(this.#counts))}`,
      `slowest: ${what} ${Math.round(tookMs)} ms`,
      ...[...this.#sentences].map(([sentence, count]) => `${count} × ${sentence}`),
    ];
  }

  async #notes(): Promise<void> {
    for (let count = 0; !this.#isEnding; count += 1) {
      const title = `c${count}`;
      const { code } = await this.#run(['note', 'add', title, `The text of ${title}.`]);
      if (code === 0) this.confirmed.push(title);
    }
  }

  async #searches(): Promise<void> {
    while (!this.#isEnding) {
      const { code, out } = await this.#run(['search', 'walrus']);
      if (code === 0 && !out.includes('The walrus swims.'))
        this.wrong.push(`"search" found "${out.trim()}"`);
      await this.#run(['sources', '--json']);
    }
  }

  async #hooks(): Promise<void> {
    while (!this.#isEnding) {
      const { path } = this.#world.project;
      for (const [words, input] of [
        [['session-start', '--task', 'The walrus swims'], ''],
        [
          ['session-prompt'],
          JSON.stringify({ prompt: 'Walrus', session_id: `${Math.random()}`, cwd: path }),
        ],
      ] as const) {
        const end = await this.#run(words, input);
        if (end.code !== 0 || end.err !== '')
          this.wrong.push(`the hook ${words[0]} ended with ${end.code}: ${end.err.trim()}`);
      }
    }
  }

  async #calls(client: Mcp, name: string): Promise<void> {
    let isOpen = true;
    client.onclose = () => {
      if (!this.#isEnding) this.wrong.push(`the server of ${name} ended`);
      isOpen = false;
    };
    for (let count = 0; !this.#isEnding && isOpen; count += 1) {
      const found = await this.#call(client, 'search', { query: 'walrus' });
      if (found !== undefined && !found.includes('The walrus swims.'))
        this.wrong.push(`MCP's search found "${found}"`);
      const title = `${name}n${count}`;
      const content = `The text of ${title}.`;
      const saved = await this.#call(client, 'save_note', { title, content });
      if (saved !== undefined) this.confirmed.push(title);
      await pause(PAUSE_MS);
    }
    await client.close();
  }

  /** Calls a tool and returns its text; undefined if it returns an error or fails. */
  async #call(client: Mcp, name: string, fields: Readonly<Record<string, unknown>>) {
    const begin = performance.now();
    try {
      const answer = await client.callTool(
        { name, arguments: fields },
        { timeout: LONGEST_CALL_MS },
      );
      const text = textOf(answer);
      this.#count(`MCP ${name} ${answer.isError ? 'error' : 'answered'}`, begin);
      if (!answer.isError) return text;
      this.#said(text);
    } catch (error) {
      this.#count(`MCP ${name} failed`, begin);
      const sentence = String(error);
      if (/timed? ?out/i.test(sentence)) this.wrong.push(`MCP's ${name} was not answered`);
      this.#said(sentence);
    }
    return undefined;
  }

  async #run(words: readonly string[], input?: string): Promise<CommandEnd> {
    const begin = performance.now();
    const end = await this.#world.run(words, input);
    this.#count(`${words[0]} ${end.code}`, begin);
    const wrong = unspoken(end);
    if (wrong !== undefined) this.wrong.push(wrong);
    else if (end.code !== 0) this.#said(end.err.trim());
    return end;
  }

  #count(what: string, begin: number): void {
    const tookMs = performance.now() - begin;
    if (tookMs > this.#slowest.tookMs) this.#slowest = { what, tookMs };
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  #said(sentence: string): void {
    this.#sentences.set(sentence, (this.#sentences.get(sentence) ?? 0) + 1);
  }

  #mcpClient(name: string): Promise<Mcp> {
    const { project, environment } = this.#world;
    const server = {
      command: process.execPath,
      args: [CLI, 'mcp'],
      cwd: project.path,
      env: { ...environment, CLIENT: name },
    };
    return clientOfProcess(server).then(({ client }) => client);
  }
}

const LONGEST_CALL_MS = 60_000;
/** Pause between calls, so that even many rounds add only a limited number of notes. */
const PAUSE_MS = 250;
