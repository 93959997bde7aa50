import { ContainerModule } from 'inversify';
import { Ingestion } from '../ingestion/ingestion.js';
import { SourceReader } from '../ingestion/source-reader.js';
import { KnowledgeService } from '../knowledge-service.js';
import { FeatureService } from '../lessons/feature-service.js';
import { Projects } from '../projects/projects.js';
import { Search } from '../search/search.js';
import { Compaction } from '../upkeep/compaction.js';
import { MemoryFolder } from '../upkeep/memory-folder.js';
import { Pruning } from '../upkeep/pruning.js';
import * as t from './tokens.js';

/** The use cases, which no variant changes. */
export const coreModule = new ContainerModule(({ bind }) => {
  bind(t.SOURCE_READER).toResolvedValue(
    (files, frontmatter, { appDir }) => new SourceReader({ files, frontmatter, appDir }),
    [t.PROJECT_FILES, t.FRONTMATTER_PARSER, t.CONFIG],
  );
  bind(t.INGESTION).toResolvedValue(
    (reader, settings, logger, { appDir }) => new Ingestion({ reader, settings, logger, appDir }),
    [t.SOURCE_READER, t.SETTINGS_SOURCE, t.LOGGER, t.CONFIG],
  );
  bind(t.PROJECTS).toResolvedValue(
    (directories, stores, ingestion, enrichment, logger) =>
      new Projects({ directories, stores, ingestion, enrichment, logger }),
    [t.PROJECT_DIRECTORIES, t.PROJECT_STORES, t.INGESTION, t.ENRICHMENT, t.LOGGER],
  );
  bind(t.SEARCH).toResolvedValue(
    (retriever, textRetriever, settings, clock, logger) =>
      new Search({ retriever, textRetriever, settings, clock, logger }),
    [t.RETRIEVER, t.TEXT_RETRIEVER, t.SETTINGS_SOURCE, t.CLOCK, t.LOGGER],
  );
  bind(t.MEMORY_FOLDER).toResolvedValue(
    (files, ingestion, enrichment, clock, { appDir }) =>
      new MemoryFolder({ files, ingestion, enrichment, clock, appDir }),
    [t.PROJECT_FILES, t.INGESTION, t.ENRICHMENT, t.CLOCK, t.CONFIG],
  );
  bind(t.COMPACTION).toResolvedValue(
    (memory, summarizer, logger) => new Compaction({ memory, summarizer, logger }),
    [t.MEMORY_FOLDER, t.SUMMARIZER, t.LOGGER],
  );
  bind(t.PRUNING).toResolvedValue((clock) => new Pruning(clock), [t.CLOCK]);
  bind(t.KNOWLEDGE_STORE).toResolvedValue(
    (
      projects,
      searches,
      ingestion,
      enrichment,
      compaction,
      pruning,
      settings,
      embedder,
      { appDir },
    ) =>
      new KnowledgeService({
        projects,
        searches,
        ingestion,
        enrichment,
        compaction,
        pruning,
        settings,
        embedder,
        appDir,
      }),
    [
      t.PROJECTS,
      t.SEARCH,
      t.INGESTION,
      t.ENRICHMENT,
      t.COMPACTION,
      t.PRUNING,
      t.SETTINGS_SOURCE,
      t.EMBEDDER,
      t.CONFIG,
    ],
  );
  bind(t.FEATURE_LIFECYCLE).toResolvedValue(
    (
      projects,
      searches,
      files,
      memory,
      ingestion,
      compaction,
      extractor,
      enrichment,
      clock,
      logger,
      { appDir },
    ) =>
      new FeatureService({
        projects,
        searches,
        files,
        memory,
        ingestion,
        compaction,
        extractor,
        enrichment,
        clock,
        logger,
        appDir,
      }),
    [
      t.PROJECTS,
      t.SEARCH,
      t.PROJECT_FILES,
      t.MEMORY_FOLDER,
      t.INGESTION,
      t.COMPACTION,
      t.LESSON_EXTRACTOR,
      t.ENRICHMENT,
      t.CLOCK,
      t.LOGGER,
      t.CONFIG,
    ],
  );
});
