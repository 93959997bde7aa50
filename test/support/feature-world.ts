import { rmSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AllowedProjectDirectories } from '../../src/adapters/files/allowed-project-directories.js';
import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../src/adapters/files/file-system-project-files.js';
import { YamlFrontmatterParser } from '../../src/adapters/yaml/yaml-frontmatter-parser.js';
import type { Enrichment } from '../../src/app/enrichment/enrichment.js';
import { KeywordRetriever } from '../../src/app/search/keyword-retriever.js';
import { createCore } from '../../src/app/wiring/create-core.js';
import {
  noEmbedder,
  noLanguageModel,
  noMetrics,
  noPageFetcher,
  noReranker,
  noSourceWatcher,
} from '../../src/app/wiring/null-objects.js';
import { searchOnlyVariant } from '../../src/app/wiring/variant-modules.js';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.js';
import type { AppDirectories } from '../../src/ports/driven/app-directories.js';
import type { LessonExtractor } from '../../src/ports/driven/lesson-extractor.js';
import type { ProjectFiles } from '../../src/ports/driven/project-files.js';
import type { Summarizer } from '../../src/ports/driven/summarizer.js';
import { FakeLessonExtractor } from '../fakes/fake-lesson-extractor.js';
import { FakeSummarizer } from '../fakes/fake-summarizer.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { InMemoryExportFiles } from '../fakes/in-memory-export-files.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { sqliteStores } from './sqlite-stores.js';

export interface FeatureWorldOptions {
  readonly appDir?: string;
  readonly extractor?: LessonExtractor;
  readonly summarizer?: Summarizer;
  /** Wraps the real files. */
  readonly filesOver?: (real: ProjectFiles) => ProjectFiles;
  /** A project whose copy is worked on. */
  readonly copyOf?: string;
}

/** The feature part of the service over a project in a temporary folder, with real files and a real store. */
export async function makeFeatureWorld(options: FeatureWorldOptions = {}) {
  const { appDir = '.knowledge', copyOf, filesOver = (real) => real } = options;
  const path = await mkdtemp(join(tmpdir(), 'features-'));
  if (copyOf !== undefined) await copyWritable(copyOf, path);
  const appDirs = appDirectories(appDir);
  const clock = new FixedClock('2026-01-05T12:00:00.000Z');
  const logger = new SilentLogger();
  const stores = sqliteStores({ appDirs, clock, logger });
  const files = filesOver(new FileSystemProjectFiles(appDirs));
  const parts = assemble({ ...options, appDirs, files, clock, logger, stores });
  const at = (file: string) => join(path, appDir, file);
  return {
    ...parts,
    path,
    clock,
    logger,
    at,
    /** Paths are relative to the application directory. */
    read: (file: string) => readFile(at(file), 'utf8'),
    async write(file: string, text: string | Buffer) {
      await mkdir(dirname(at(file)), { recursive: true });
      await writeFile(at(file), text);
    },
    remove: (file: string) => rmSync(at(file)),
    async dispose() {
      await stores.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** What is copied may be read-only, folders included. */
async function copyWritable(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  const entries = await readdir(to, { recursive: true });
  for (const path of [to, ...entries.map((entry) => join(to, entry))]) await chmod(path, 0o755);
}

export type FeatureWorld = Awaited<ReturnType<typeof makeFeatureWorld>>;

interface Ground extends FeatureWorldOptions {
  readonly appDirs: AppDirectories;
  readonly files: ProjectFiles;
  readonly clock: FixedClock;
  readonly logger: SilentLogger;
  readonly stores: ReturnType<typeof sqliteStores>;
}

function assemble(ground: Ground) {
  const enrichment = new CountingEnrichment();
  const retriever = KeywordRetriever.forCandidates();
  const ports = {
    ...ground,
    fileNames: { list: async () => [] },
    frontmatter: new YamlFrontmatterParser(ground.logger),
    settings: { read: async () => DEFAULT_SETTINGS },
    directories: new AllowedProjectDirectories([]),
    embedder: noEmbedder('test-model'),
    questions: noLanguageModel,
    summarizer: ground.summarizer ?? new FakeSummarizer(),
    watcher: noSourceWatcher,
    lessons: ground.extractor ?? new FakeLessonExtractor(),
    pages: noPageFetcher,
    reranker: noReranker,
    exports: new InMemoryExportFiles(),
    leftovers: { find: async () => [] },
    metrics: noMetrics,
  };
  return {
    ...createCore(ports, { ...searchOnlyVariant(), enrichment, retriever }),
    enrichment,
  };
}

class CountingEnrichment implements Enrichment {
  wakes = 0;

  wake(): void {
    this.wakes += 1;
  }

  isWorking(): boolean {
    return false;
  }

  progressOf(): undefined {
    return undefined;
  }

  async release(): Promise<void> {}

  async stop(): Promise<void> {}
}
