import { appDirectories } from '../../src/adapters/files/app-directories.js';
import type { OpenProject } from '../../src/app/projects/open-project.js';
import { Search } from '../../src/app/search/search.js';
import { Pruning } from '../../src/app/upkeep/pruning.js';
import { noLanguageModel, noMetrics } from '../../src/app/wiring/null-objects.js';
import { searchOnlyVariant } from '../../src/app/wiring/variants.js';
import type { ProjectStore, ProjectStores } from '../../src/ports/project-stores.js';
import type { StoreHarness } from '../../test/contract/harness/store-harness.js';
import { InMemoryProjectFiles } from '../../test/fakes/in-memory-project-files.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';
import { openProject } from '../../test/support/open-project.js';

const APP_DIR = '.knowledge';

type Wrap = (stores: ProjectStores) => ProjectStores;

/** The real use cases on real stores, with files in memory and a manually advanced clock. */
export class SystemUnderTest {
  readonly files = new InMemoryProjectFiles();
  readonly #harness: StoreHarness;
  readonly #wrap: Wrap;
  readonly #search: Search;
  readonly #pruning: Pruning;
  #project: OpenProject;

  static async start(harness: StoreHarness, wrap: Wrap): Promise<SystemUnderTest> {
    const store = await wrap(harness.stores).open(harness.projectPath);
    return new SystemUnderTest(harness, wrap, store);
  }

  private constructor(harness: StoreHarness, wrap: Wrap, store: ProjectStore) {
    this.#harness = harness;
    this.#wrap = wrap;
    const { clock } = harness;
    const logger = new SilentLogger();
    const ports = { files: this.files, appDirs: appDirectories(APP_DIR), clock, logger };
    const variant = searchOnlyVariant();
    this.#project = this.#opened(store);
    const open = async () => this.#project;
    const projects = { open, find: open };
    this.#pruning = new Pruning({ ...ports, projects });
    this.#search = new Search({
      ...variant,
      projects,
      files: ports.files,
      appDirs: ports.appDirs,
      sourceStates: { find: async () => new Map() },
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
    return this.#project.store;
  }

  pass(ms: number): void {
    this.#harness.clock.advance(ms);
  }

  async ingest(): Promise<number> {
    return (await this.#project.ingest({ group: 'reflections' })).indexed;
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
    await this.store.upkeep.maintain('rebuild');
  }

  async restart(): Promise<void> {
    const stores = this.#harness.otherProcess();
    this.#project = this.#opened(await this.#wrap(stores).open(this.#harness.projectPath));
  }

  #opened(store: ProjectStore): OpenProject {
    const { clock, projectPath: path } = this.#harness;
    return openProject({ path, store }, { clock, files: this.files });
  }
}
