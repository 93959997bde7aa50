import { z } from 'zod';
import { CANDIDATE_SETS, FUSIONS } from '../../../domain/settings.js';
import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import {
  flag,
  maxResults,
  maxTokens,
  oneOf,
  projectPath,
  projectRequest,
  sourceTypes,
  text,
} from '../schemas/fields.js';
import { answerOf, statsOf } from '../schemas/hybrid-bodies.js';
import { hybridExtensions } from './hybrid-extensions.js';
import { type Route, route } from './route.js';

/** The five routes of the hybrid variant (specification, "Endpoints"), then its extensions. */
export function hybridApi({ store, features }: HybridServices): readonly Route[] {
  return [
    searchRoute(store),
    statsRoute(store),
    rebuildRoute(store),
    ingestReflectionsRoute(store),
    ingestAgentOutputsRoute(store),
    ...hybridExtensions({ store, features }),
  ];
}

export interface HybridServices {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
}

const searchRequest = z.object({
  projectPath,
  query: text.describe(
    'FTS5 query: phrases in double quotes, AND, OR, NOT, a trailing *; or any text.',
  ),
  maxResults: maxResults.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  sourceTypes: sourceTypes.exactOptional(),
  explain: flag.describe('Whether the answer says why it is what it is.').exactOptional(),
  fusion: oneOf(FUSIONS)
    .describe('How the keyword and the vector list become one.')
    .exactOptional(),
  candidates: oneOf(CANDIDATE_SETS).describe('Which chunks are ranked.').exactOptional(),
});

function searchRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/search',
    summary: 'Searches the knowledge of a project by keyword and meaning, best first.',
    request: searchRequest,
    answer: async ({ projectPath, query, explain, ...options }) =>
      answerOf(await store.search(projectPath, query, options), { explain }),
  });
}

function statsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/stats',
    summary: 'Says what the store of a project holds.',
    request: projectRequest,
    answer: async ({ projectPath }) => statsOf(await store.getStats(projectPath)),
  });
}

function rebuildRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/rebuild',
    summary:
      'Reads the sources of a project again, rebuilds its index and says what it holds then.',
    request: projectRequest,
    answer: async ({ projectPath }) => {
      await store.reindex(projectPath);
      return statsOf(await store.getStats(projectPath));
    },
  });
}

function ingestReflectionsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/ingest/reflections',
    summary: 'Indexes the reflections of all features of a project.',
    request: projectRequest,
    answer: async ({ projectPath }) => ({ indexed: await store.ingestReflections(projectPath) }),
  });
}

function ingestAgentOutputsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/ingest/agent-outputs',
    summary: 'Indexes the ends of the agent outputs of all features of a project.',
    request: projectRequest,
    answer: async ({ projectPath }) => ({ indexed: await store.ingestAgentOutputs(projectPath) }),
  });
}
