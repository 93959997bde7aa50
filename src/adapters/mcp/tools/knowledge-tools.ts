import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import { ingestTool } from './ingest-tool.js';
import { lessonsTool, similarTool } from './lesson-tools.js';
import { searchTool } from './search-tool.js';
import { statusTool } from './status-tool.js';
import type { Tool } from './tool.js';

/** All tools (docs/mcp.md, "Tools"), those that only read first. */
export function knowledgeTools({ store, features }: KnowledgeToolsParts): readonly Tool[] {
  return [
    searchTool(store),
    lessonsTool(features),
    similarTool(store),
    statusTool(store),
    ingestTool(store),
  ];
}

export interface KnowledgeToolsParts {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
}
