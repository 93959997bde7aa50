import { setTimeout as pause } from 'node:timers/promises';
import { executeAs } from '../../test/support/execute-as.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import type { FaultFamily, FaultOptions, FaultOutcome } from './family.js';

const WRITERS = 4;
const READERS = 3;
const WRITES_PER_ROUND = 30;
const ANSWERED_WITHIN_MS = 10_000;
const WAIT = { withinMs: 60_000, everyMs: 50 };

/**
 * P5: of two PostgreSQL servers, the primary is killed, the replica is promoted, and the killed one becomes its
 * replica.
 */
export const postgresFailover: FaultFamily = {
  name: 'P5',
  title: 'a PostgreSQL replica takes over',
  defaultRounds: 20,
  run: (options) => failoverRun(options, 'synchronous'),
  /** A replica that receives nothing for a while, and for which the primary does not wait. */
  async negativeControl(options) {
    return (await failoverRun({ ...options, rounds: 1 }, 'late')).wrong;
  },
};

type Replication = 'synchronous' | 'late';

async function failoverRun(
  { rounds, random }: FaultOptions,
  replication: Replication,
): Promise<FaultOutcome> {
  const pair = await Pair.start(replication);
  const client = await startClient('hybrid', { KNOWLEDGE_STORE: pair.url, KNOWLEDGE_WORKERS: '2' });
  const project = new TempProject({ 'docs/a.md': 'A tapir swims.' });
  const wrong: string[] = [];
  const waits: number[] = [];
  let lost = 0;
  try {
    okBody(await client.rebuild(project));
    const load = new Load(client, project);
    for (let round = 1; round <= rounds; round += 1) {
      const enough = load.confirmed.length + WRITES_PER_ROUND;
      await eventually(() => load.confirmed.length >= enough, WAIT);
      if (replication === 'late') await pair.leaveReplicaBehind(() => load.confirmed.length);
      await pause(random.below(200));
      const refused = await pair.losePrimary();
      const missing = await pair.missing(load.confirmed);
      lost += missing.length;
      wrong.push(...missing.map((name) => `round ${round}: ${name} was confirmed, and is lost.`));
      if (refused > 0) wrong.push(`round ${round}: ${refused} writes reached the replica.`);
      await pair.promote();
      const ms = await load.untilAnswered();
      if (ms > ANSWERED_WITHIN_MS) wrong.push(`round ${round}: the first answer took ${ms} ms.`);
      waits.push(ms);
      if (round < rounds) await pair.restore();
    }
    await load.end();
    const missing = await pair.missing(load.confirmed);
    lost += missing.length;
    wrong.push(...missing.map((name) => `At the end ${name} is lost.`), ...load.wrong);
    const longest = `a search and a write were answered ${Math.max(...waits)} ms after the promotion at most`;
    return {
      rounds,
      acknowledged: load.confirmed.length,
      lost,
      wrong: [...new Set(wrong)],
      notes: [`${longest}; ${load.summary()}`],
    };
  } finally {
    await client.service.stop();
    project.remove();
    await pair.remove();
  }
}

/** A primary and its replica. */
class Pair {
  readonly url: string;
  readonly #replication: Replication;
  #primary: PostgresServer;
  #replica: PostgresServer;

  static async start(replication: Replication): Promise<Pair> {
    const primary = await PostgresServer.create(SERVER_BIN, 'kept');
    const pair = new Pair(primary, await PostgresServer.following(primary), replication);
    await pair.#synchronize();
    return pair;
  }

  private constructor(primary: PostgresServer, replica: PostgresServer, replication: Replication) {
    this.#primary = primary;
    this.#replica = replica;
    this.#replication = replication;
    const [first, second] = [primary, replica].map(({ url }) => new URL(url).host);
    this.url = `postgresql://postgres@${second},${first}/postgres?target_session_attrs=read-write`;
  }

  /** Kills the primary. Returns how many writing statements the replica has refused so far. */
  async losePrimary(): Promise<number> {
    await this.#primary.kill();
    return this.#replica.log.split('in a read-only transaction').length - 1;
  }

  /** The notes that the remaining server lacks. Gives a replica time to apply its log first. */
  async missing(notes: readonly string[]): Promise<readonly string[]> {
    const { url } = this.#primary.pid > 0 ? this.#primary : this.#replica;
    const [project] = await executeAs(url, 'SELECT schema_name FROM knowledge_store.projects');
    const sql = `SELECT source_file AS file FROM ${project?.schema_name}.chunks`;
    let missing: readonly string[] = [];
    const isComplete = async () => {
      const files = new Set((await executeAs(url, sql)).map(({ file }) => file));
      missing = notes.filter((id) => !files.has(`.knowledge/notes/${id}.md`));
      return missing.length === 0;
    };
    await eventually(isComplete, { withinMs: 3_000 }).catch(() => undefined);
    return missing;
  }

  async promote(): Promise<void> {
    await executeAs(this.#replica.url, 'SELECT pg_promote()');
    [this.#primary, this.#replica] = [this.#replica, this.#primary];
    // As failover managers do: otherwise no commit succeeds until there is a replica again.
    await this.#waitFor('');
  }

  /** Makes the former primary a replica of the current one. */
  async restore(): Promise<void> {
    await this.#replica.follow(this.#primary);
    await this.#synchronize();
  }

  /** Cuts the replica off, and resolves once more writes were confirmed. */
  async leaveReplicaBehind(confirmed: () => number): Promise<void> {
    await executeAs(this.#replica.url, "ALTER SYSTEM SET primary_conninfo = ''");
    await executeAs(this.#replica.url, 'SELECT pg_reload_conf()');
    const enough = confirmed() + WRITES_PER_ROUND;
    await eventually(() => confirmed() >= enough, WAIT);
  }

  async remove(): Promise<void> {
    await this.#replica.remove();
    await this.#primary.remove();
  }

  async #synchronize(): Promise<void> {
    if (this.#replication === 'synchronous') await this.#waitFor('*');
    const state = this.#replication === 'synchronous' ? 'sync' : 'async';
    const sql = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`;
    await eventually(async () => (await executeAs(this.#primary.url, sql)).length > 0, WAIT);
  }

  /** Sets the replicas for which the primary waits at each commit. */
  async #waitFor(names: string): Promise<void> {
    const { url } = this.#primary;
    await executeAs(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await executeAs(url, 'SELECT pg_reload_conf()');
  }
}

/** Clients that save notes and search, and continue when they are refused. */
class Load {
  readonly confirmed: string[] = [];
  readonly wrong: string[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #client: Client;
  readonly #project: TempProject;
  readonly #ended: Promise<unknown>;
  #longest = { ms: 0, answer: '' };
  #isEnding = false;
  /** When a request of each kind last succeeded, in the time of `performance.now()`. */
  readonly #answeredAt = { search: 0, note: 0 };

  constructor(client: Client, project: TempProject) {
    this.#client = client;
    this.#project = project;
    this.#ended = Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => this.#write(writer)),
      ...Array.from({ length: READERS }, () => this.#search()),
    ]);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
  }

  summary(): string {
    const statuses = [...this.#statuses]
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
    return `answers ${statuses}, the longest took ${this.#longest.ms} ms (${this.#longest.answer})`;
  }

  /** Milliseconds from now until both a search and a note have succeeded. */
  async untilAnswered(): Promise<number> {
    const begin = performance.now();
    const isAnswered = () => Math.min(...Object.values(this.#answeredAt)) > begin;
    await eventually(isAnswered, WAIT);
    return Math.round(Math.max(this.#answeredAt.search, this.#answeredAt.note) - begin);
  }

  async #write(writer: number): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn += 1) {
      const id = `note-${writer}-${turn}`;
      const note = { id, title: id, content: `The tapir of ${id} eats leaves.`, force: true };
      const status = await this.#ask('note', () =>
        this.#client.post('/x/notes', this.#project, note),
      );
      if (status === 201) this.confirmed.push(id);
    }
  }

  async #search(): Promise<void> {
    while (!this.#isEnding) {
      await this.#ask('search', () => this.#client.search(this.#project, 'tapir'));
    }
  }

  async #ask(
    kind: 'search' | 'note',
    request: () => Promise<{ readonly status: number; readonly text: string }>,
  ): Promise<number> {
    const begin = performance.now();
    const { status, text } = await request().catch((error) => ({ status: 0, text: String(error) }));
    const now = performance.now();
    const ms = Math.round(now - begin);
    if (ms > this.#longest.ms) this.#longest = { ms, answer: `${kind}, ${status}` };
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (status === 200 || status === 201) this.#answeredAt[kind] = now;
    else if (status !== 503) this.wrong.push(`${kind}: HTTP ${status} ${text.slice(0, 300)}`);
    await pause(status < 300 ? 20 : 100);
    return status;
  }
}
