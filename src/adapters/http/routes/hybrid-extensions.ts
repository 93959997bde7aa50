import { z } from 'zod';
import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import {
  anyText,
  featureId,
  flag,
  maxResults,
  projectPath,
  projectRequest,
  text,
  wholeNumber,
} from '../schemas/fields.js';
import { resultOf } from '../schemas/hybrid-bodies.js';
import { type Route, route } from './route.js';

/** What the hybrid variant serves beyond the specification (contract, "Extensions"). */
export function hybridExtensions({ store, features }: ExtensionServices): readonly Route[] {
  return [
    lessonsRoute(features),
    similarRoute(store),
    completeFeatureRoute(features),
    compactRoute(store),
    pruneRoute(store),
    statusRoute(store),
  ];
}

interface ExtensionServices {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
}

const lessonsRequest = z.object({
  projectPath,
  title: text.describe('Title of the feature in hand.'),
  description: anyText.describe('Description of the feature in hand.'),
  featureId: featureId.exactOptional(),
  maxResults: maxResults.exactOptional(),
});

function lessonsRoute(features: FeatureLifecycle): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/lessons',
    summary: 'Says what earlier features teach about one in hand.',
    request: lessonsRequest,
    answer: async ({ projectPath, ...feature }) => {
      const { section, source, results } = await features.lessonsFor(projectPath, feature);
      return { section, source, results: results.map(resultOf) };
    },
  });
}

const similarRequest = z.object({
  projectPath,
  text: text.describe('The text whose like is looked for, judged by its first 20 words.'),
  sourceFile: anyText.describe('A source file whose chunks are left out.').exactOptional(),
  maxResults: maxResults.exactOptional(),
});

function similarRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/similar',
    summary: 'Finds chunks like a text, and changes no metric.',
    request: similarRequest,
    answer: async ({ projectPath, text, sourceFile, maxResults }) => {
      const { results } = await store.findSimilarChunks(projectPath, text, sourceFile, maxResults);
      return { results: results.map(resultOf) };
    },
  });
}

function completeFeatureRoute(features: FeatureLifecycle): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/features/complete',
    summary: 'Extracts what a finished feature taught into the memory categories.',
    request: z.object({ projectPath, featureId }),
    answer: async ({ projectPath, featureId }) => {
      const report = await features.completeFeature(projectPath, featureId);
      const { learnings, added, duplicates, categories, compacted } = report;
      return { learnings, added, duplicates, categories, compacted };
    },
  });
}

/** A longer name cannot be one of a file with the ending `.md`. */
const CATEGORY_MAX_CHARACTERS = 252;
const CATEGORY_RULE =
  'must be a name of small letters, digits, "_" and "-" that begins with a letter or digit';

const compactRequest = z.object({
  projectPath,
  category: z
    .string({ error: CATEGORY_RULE })
    .regex(/^[a-z0-9][a-z0-9_-]*$/, { error: CATEGORY_RULE })
    .max(CATEGORY_MAX_CHARACTERS, {
      error: `must be at most ${CATEGORY_MAX_CHARACTERS} characters`,
    })
    .describe('Name of a memory category, without `.md`.'),
  threshold: wholeNumber({ min: 1, max: 10_000_000 })
    .describe('Tokens above which the category is summarised.')
    .exactOptional(),
  dryRun: flag.describe('Only say what would be done.').exactOptional(),
});

function compactRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/compact',
    summary: 'Summarises a memory category that has grown too long.',
    request: compactRequest,
    answer: async ({ projectPath, category, threshold, dryRun }) => {
      const report = dryRun
        ? await store.previewCompaction(projectPath, category, threshold)
        : await store.compactCategory(projectPath, category, threshold);
      const { compacted, reason, tokensBefore, tokensAfter } = report;
      return { compacted, reason, tokensBefore, tokensAfter };
    },
  });
}

const pruneRequest = z.object({
  projectPath,
  dryRun: flag.describe('Only say what would go.').exactOptional(),
});

function pruneRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/prune',
    summary: 'Deletes the chunks that nobody has asked for in 90 days.',
    request: pruneRequest,
    answer: async ({ projectPath, dryRun }) => {
      const pruned = dryRun
        ? await store.previewPrune(projectPath)
        : await store.pruneWithReport(projectPath);
      const chunks = pruned.map(({ id, sourceFile, reason }) => ({ id, sourceFile, reason }));
      return { deleted: chunks.length, chunks };
    },
  });
}

function statusRoute(store: KnowledgeStore): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/status',
    summary: 'Says how far the background work of a project is, and how the model does.',
    request: projectRequest,
    answer: async ({ projectPath }) => {
      const embeddings = await store.getEmbeddingStatus(projectPath);
      const hype = await store.getHypeStatus(projectPath);
      const model = store.getModelStatus();
      return {
        embeddings: { complete: embeddings.complete, pending: embeddings.pending },
        hype: { complete: hype.complete, pending: hype.pending },
        model: { name: model.name, state: model.state },
      };
    },
  });
}
