import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { schemaName } from '../../src/adapters/postgres/database/project-schema.js';
import { executeAs } from '../../test/support/execute-as.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import type { FaultFamily, FaultOptions, FaultOutcome } from './family.js';

const MARKS = ['tapir', 'okapi', 'quoll', 'civet'] as const;
const CHUNKS = 12;
const KEY_FILE = '.knowledge/project-key';

/** P3: directories of watched projects are taken away, and change places, while all are searched. */
export const postgresMoves: FaultFamily = {
  name: 'P3',
  title: 'projects on PostgreSQL move while they are searched',
  defaultRounds: 60,
  run: (options) => movedRun(options, 'own keys'),
  /** Two projects share a key, and so a store. */
  async negativeControl(options) {
    return (await movedRun({ ...options, rounds: 6 }, 'a shared key')).wrong;
  },
};

async function movedRun(
  { rounds, random }: FaultOptions,
  keys: 'own keys' | 'a shared key',
): Promise<FaultOutcome> {
  const server = await PostgresServer.create(SERVER_BIN, 'lost');
  const client = await startClient('search-only', { KNOWLEDGE_STORE: server.url });
  const places = MARKS.map((mark) => new TempProject({ 'notes.md': notesOf(mark) }));
  const scene = new Scene(client, places);
  try {
    for (const place of places) okBody(await client.rebuild(place));
    const before = await Promise.all(places.map((place) => rowsOf(server.url, place)));
    if (keys === 'a shared key')
      cpSync(places[0]?.at(KEY_FILE) ?? '', places[1]?.at(KEY_FILE) ?? '');
    const searching = scene.searchOn();
    for (let round = 0; round < rounds; round += 1) {
      const [first, second] = [random.below(MARKS.length), random.below(MARKS.length)];
      if (first === second) await scene.takeAway(first, random.below(1500));
      else scene.exchange(first, second);
      await scene.check();
    }
    scene.isEnding = true;
    await searching;
    const after = await Promise.all(scene.inOrder().map((place) => rowsOf(server.url, place)));
    for (const [i, rows] of after.entries())
      if (rows !== before[i]) scene.wrong.push(`${MARKS[i]} has other rows: ${rows}`);
    const notes = [
      `${scene.searches} searches beside the moves, ${scene.refused} refused with 503`,
    ];
    return { rounds, acknowledged: rounds, lost: 0, wrong: scene.wrong, notes };
  } finally {
    scene.isEnding = true;
    await client.service.stop();
    for (const place of places) place.remove();
    await server.remove();
  }
}

/** Which project is in which place, and what searches must find there. */
class Scene {
  readonly wrong: string[] = [];
  searches = 0;
  refused = 0;
  isEnding = false;
  readonly #client: Client;
  readonly #places: readonly TempProject[];
  /** By place: the number of the project that is there. */
  readonly #there = MARKS.map((_, i) => i);

  constructor(client: Client, places: readonly TempProject[]) {
    this.#client = client;
    this.#places = places;
  }

  /** The places in the order of the projects. */
  inOrder(): readonly TempProject[] {
    return MARKS.map((_, i) => this.#place(this.#there.indexOf(i)));
  }

  exchange(first: number, second: number): void {
    const [a, b] = [this.#place(first).path, this.#place(second).path];
    renameSync(a, `${a}-away`);
    renameSync(b, a);
    renameSync(`${a}-away`, b);
    const [one = 0, other = 0] = [this.#there[first], this.#there[second]];
    this.#there[first] = other;
    this.#there[second] = one;
  }

  /** As a drive that is not mounted: the place is empty for a while, and asked for. */
  async takeAway(place: number, ms: number): Promise<void> {
    const project = this.#place(place);
    renameSync(project.path, `${project.path}-away`);
    mkdirSync(project.path);
    const until = performance.now() + ms;
    do {
      const { body } = await this.#client.search(project, MARKS.join(' '));
      if ((body?.results ?? []).length > 0) this.wrong.push('An empty directory has results.');
    } while (performance.now() < until);
    rmSync(project.path, { recursive: true });
    renameSync(`${project.path}-away`, project.path);
  }

  /** In every place, all of what is there is found, and nothing else. */
  async check(): Promise<void> {
    for (const [i, place] of this.#places.entries()) {
      const mark = MARKS[this.#there[i] ?? 0] ?? '';
      const isRight = async () => {
        const { status, body } = await this.#client.search(place, MARKS.join(' '), {
          maxResults: 50,
        });
        if (status !== 200) return false;
        const contents: readonly string[] = body.results.map(
          ({ chunk }: { readonly chunk: { readonly content: string } }) => chunk.content,
        );
        return contents.length === CHUNKS && contents.every((content) => content.includes(mark));
      };
      await eventually(isRight, { withinMs: 10_000 }).catch(() =>
        this.wrong.push(`Not all of ${mark}, or something else, is found where it is.`),
      );
    }
  }

  async searchOn(): Promise<void> {
    for (let i = 0; !this.isEnding; i += 1) {
      const { status } = await this.#client.search(this.#place(i % MARKS.length), MARKS.join(' '));
      this.searches += 1;
      if (status === 503) this.refused += 1;
      else if (status !== 200) this.wrong.push(`A search was answered with ${status}.`);
    }
  }

  #place(i: number): TempProject {
    return this.#places[i] as TempProject;
  }
}

function notesOf(mark: string): string {
  return Array.from(
    { length: CHUNKS },
    (_, i) => `## Note ${i}\n\nThe ${mark} number ${i}.\n`,
  ).join('\n');
}

/** With their numbers: rows that were deleted and written again have others. */
async function rowsOf(url: string, place: TempProject): Promise<string> {
  const schema = schemaName(readFileSync(place.at(KEY_FILE), 'utf8').trim());
  const rows = await executeAs(url, `SELECT no, content FROM ${schema}.chunks ORDER BY no`);
  return JSON.stringify(rows);
}
