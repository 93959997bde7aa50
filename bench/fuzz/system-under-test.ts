import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { noCiting } from '../../src/app/citations/citation-finder.js';
import { Ingestion } from '../../src/app/ingestion/ingestion.js';
import { SourceReader } from '../../src/app/ingestion/source-reader.js';
import { Search } from '../../src/app/search/search.js';
import { Pruning } from '../../src/app/upkeep/pruning.js';
import { noLanguageModel, noMetrics } from '../../src/app/wiring/null-objects.js';
import { searchOnlyVariant } from '../../src/app/wiring/variants.js';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.js';
import type { ProjectStore, ProjectStores } from '../../src/ports/project-stores.js';
import type { StoreHarness } from '../../test/contract/harness/store-harness.js';
import { InMemoryProjectFiles } from '../../test/fakes/in-memory-project-files.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';

const APP_DIR = '.knowledge';
const SETTINGS = { read: async () => DEFAULT_SETTINGS };

type Wrap = (stores: ProjectStores) => ProjectStores;

/** The real use cases on real stores, with files in memory and a clock that is moved by hand. */
export class SystemUnderTest {
  readonly files = new InMemoryProjectFiles();
  readonly #harness: StoreHarness;
  readonly #wrap: Wrap;
  readonly #ingestion: Ingestion;
  readonly #search: Search;
  readonly #pruning: Pruning;
  #store: ProjectStore;

  static async start(harness: StoreHarness, wrap: Wrap): Promise<SystemUnderTest> {
    const store = await wrap(harness.stores).open(harness.projectPath);
    return new SystemUnderTest(harness, wrap, store);
  }

  private constructor(harness: StoreHarness, wrap: Wrap, store: ProjectStore) {
    this.#harness = harness;
    this.#wrap = wrap;
    this.#store = store;
    const { clock } = harness;
    const logger = new SilentLogger();
    const ports = { files: this.files, appDirs: appDirectories(APP_DIR), clock, logger };
    const frontmatter = { parse: () => undefined };
    const reader = new SourceReader({ ...ports, frontmatter, citing: noCiting });
    const variant = searchOnlyVariant();
    this.#ingestion = new Ingestion({ ...ports, ...variant, reader, settings: SETTINGS });
    const open = async () => this.#project;
    const projects = { open, find: open };
    this.#pruning = new Pruning({ ...ports, projects });
    this.#search = new Search({
      ...{ ...variant, projects },
      appDirs: ports.appDirs,
      sync: { prepareSearch: async () => DEFAULT_SETTINGS, searched: async () => undefined },
      noteStates: { find: async () => new Map() },
      metrics: noMetrics,
      queryRewriter: noLanguageModel,
      clock,
      logger,
    });
  }

  get now(): number {
    return this.#harness.clock.now().getTime();
  }

  get store(): ProjectStore {
    return this.#store;
  }

  pass(ms: number): void {
    this.#harness.clock.advance(ms);
  }

  async ingest(): Promise<number> {
    return (await this.#ingestion.ingest(this.#project, { group: 'reflections' })).indexed;
  }

  async search(word: string): Promise<readonly string[]> {
    const { path: projectPath } = this.#project;
    const options = { maxResults: 1000, maxTokens: 1_000_000 };
    const { results } = await this.#search.search({ projectPath, query: word, ...options });
    return results.map(({ chunk }) => chunk.id);
  }

  async prune(): Promise<readonly string[]> {
    const { chunks } = await this.#pruning.prune({ projectPath: this.#project.path });
    return chunks.map(({ id }) => id);
  }

  async rebuild(): Promise<void> {
    await this.#store.upkeep.maintain('rebuild');
  }

  async restart(): Promise<void> {
    const stores = this.#harness.otherProcess();
    this.#store = await this.#wrap(stores).open(this.#harness.projectPath);
  }

  get #project() {
    const path = this.#harness.projectPath;
    return { path, openedAs: path, store: this.#store };
  }
}
