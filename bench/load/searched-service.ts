import { readdirSync } from 'node:fs';
import { asShipped } from '../../test/support/running-service.js';
import {
  API,
  type Client,
  okBody,
  startClient,
  type TestedVariant,
} from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { TINY_MODEL } from '../../test/support/tiny-model.js';
import { tinyModelEnvironment } from '../faults/tiny-model-environment.js';
import { generator } from '../quality/statistics.js';
import { plantVectors } from '../speed/planted-vectors.js';
import { LoadClient, type LoadOrder, type LoadReport } from './load-client.js';

const CHUNKS_PER_FILE = 10;
const WORDS_PER_CHUNK = 60;
const random = generator(1);
const words = Array.from({ length: 20_000 }, (_, rank) => `w${rank.toString(36)}`);

/** Two words that a chunk must both have, the first common and the second rare, as searches mostly are. */
export const QUERIES: readonly string[] = Array.from(
  { length: 500 },
  (_, index) => `${words[20 + (index % 80)]} AND ${words[200 + ((index * 37) % 3_000)]}`,
);
const BOMB = words.slice(0, 64).join(' OR ');

/** A service with a tiny model, and a project of made-up text in it. */
export class SearchedService {
  readonly client: Client;
  readonly project: TempProject;
  readonly #loader = new LoadClient();

  static async start(variant: TestedVariant, chunks: number): Promise<SearchedService> {
    asShipped();
    const environment = await tinyModelEnvironment();
    const project = madeUpProject(chunks);
    // Without a model, so that no chunk is embedded while vectors are planted.
    const indexing = await startClient('search-only', environment);
    okBody(await indexing.rebuild(project));
    await indexing.service.stop();
    if (variant === 'hybrid') plantVectors(project.database, TINY_MODEL);
    const client = await startClient(variant, environment);
    okBody(await client.search(project, QUERIES[0] ?? ''));
    return new SearchedService(client, project);
  }

  private constructor(client: Client, project: TempProject) {
    this.client = client;
    this.project = project;
  }

  /** Searches in the project of this service, or in others in turn. */
  load(
    order: Partial<LoadOrder> & { readonly seconds: number },
    projects: readonly string[] = [this.project.path],
  ): Promise<LoadReport> {
    const url = `${this.client.service.url}${API}/search`;
    const bodies = QUERIES.map((query, number) =>
      JSON.stringify({ projectPath: projects[number % projects.length], query }),
    );
    return this.#loader.run({ url, bodies, connections: 10, ...order });
  }

  /** The largest query that is read as it is written: 64 common words. */
  get bomb(): string {
    return JSON.stringify({ projectPath: this.project.path, query: BOMB });
  }

  /** The delay of its event loop since the last call, in milliseconds. */
  async loopDelayP99(): Promise<number> {
    const { text } = await this.client.service.get('/metrics');
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000;
  }

  descriptors(): number {
    return readdirSync(`/proc/${this.client.service.process.pid}/fd`).length;
  }

  async stop(): Promise<void> {
    this.#loader.stop();
    await this.client.service.stop();
    this.project.remove();
  }
}

export function madeUpProject(chunks: number): TempProject {
  const project = new TempProject();
  for (let file = 0; file < chunks / CHUNKS_PER_FILE; file += 1) {
    project.write(`docs/${file}.md`, Array.from({ length: CHUNKS_PER_FILE }, section).join(''));
  }
  return project;
}

function section(): string {
  const text = Array.from({ length: WORDS_PER_CHUNK }, word).join(' ');
  return `## ${word()} ${word()}\n${text}.\n\n`;
}

/** Rank and frequency as in natural text. */
function word(): string {
  return words[Math.floor(words.length ** random()) - 1] ?? 'w0';
}
