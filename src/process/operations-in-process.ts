import { setTimeout as pause } from 'node:timers/promises';
import type { Operations } from '../adapters/cli/command-line-parts.js';
import type { Config } from '../app/config/fields.js';
import type { CallOptions } from '../app/ingestion/source-reader.js';
import { findRoute } from '../app/routes/find-route.js';
import { hybridApi } from '../app/routes/hybrid-api.js';
import { askInEveryWay } from '../app/search/evaluation.js';
import type { ComposedService } from '../app/service/service.js';
import { KnowledgeError } from '../domain/errors.js';
import { installedModel } from './installed-model.js';

/** The operations for commands, run by a service in this process. */
export function inProcessOperations(service: ComposedService, config: Config): Operations {
  const routes = hybridApi(service);
  const { indexing, sources, setup, embedder } = service;
  const makeVectors = vectorMaker(service);
  return {
    call: async (name, fields) => {
      const found = findRoute(routes, name);
      if (found === undefined) {
        throw new KnowledgeError('not_found', `There is no route ${name}; docs/api.md lists them.`);
      }
      return (await found.route.handle({ ...fields, ...found.fields })).body;
    },
    beginIndexing: (projectPath) => indexing.begin({ projectPath }),
    ingest: (projectPath, options) => indexing.ingest({ projectPath }, options),
    rebuild: (projectPath, options) => indexing.rebuild({ projectPath }, options),
    findLines: async (projectPath, ids) => {
      const lines = await sources.findLines({ projectPath, ids: [...ids] });
      return lines.map((line) => line ?? null);
    },
    skipped: (projectPath) => sources.skipped({ projectPath }),
    writeSettings: (projectPath) => setup.writeSettings({ projectPath }),
    loadModel: async () => {
      if (!embedder.isReady()) await embedder.embed('A text that loads the model.');
      await service.reranker?.load?.();
    },
    modelStatus: async () => embedder.status(),
    knownForPrompt: ({ directory, ...prompt }, { signal } = {}) => {
      const worktreeText = directory === undefined ? undefined : service.worktreeText(directory);
      return service.promptKnowledge.find({ ...prompt, worktreeText }, signal);
    },
    askInEveryWay: (projectPath, query) => askInEveryWay(service.search, { projectPath, query }),
    makeVectors,
    hasLanguageModel: async () => config.languageModel !== undefined,
    installedModel: () => installedModel(config),
    stop: () => service.stop(),
  };
}

/** Makes vectors for callers, which share the work. It returns to background priority when no caller waits any more. */
function vectorMaker(service: ComposedService): Operations['makeVectors'] {
  let waiting = 0;
  const hurry = (change: 1 | -1) => {
    waiting += change;
    service.embedder.hurry?.(waiting > 0);
  };
  return async (projectPath, options) => {
    hurry(1);
    try {
      await service.indexing.checkWritable({ projectPath });
      service.embedder.load();
      service.startBackgroundWork();
      await untilComplete(service, { ...options, projectPath });
    } finally {
      hurry(-1);
    }
  };
}

/**
 * Waits until every chunk has a vector, or the model has failed. @throws KnowledgeError as {@link
 * Indexing.checkWritable}
 */
async function untilComplete(
  { status, indexing }: ComposedService,
  { projectPath, onProgress, signal }: CallOptions & { readonly projectPath: string },
): Promise<void> {
  for (let polls = 1; signal?.aborted !== true; polls += 1) {
    if (polls % POLLS_PER_CHECK === 0) await indexing.checkWritable({ projectPath });
    const { embeddings, model } = await status.status({ projectPath });
    const { complete, pending } = embeddings;
    if (pending === 0 || model.state === 'failed') return;
    onProgress?.({ done: complete, total: complete + pending });
    await pause(POLL_MS);
  }
}

const POLL_MS = 250;
const POLLS_PER_CHECK = 20;
