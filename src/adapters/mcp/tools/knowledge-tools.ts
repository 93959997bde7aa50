import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import type { NotesService } from '../../../ports/driving/notes-service.js';
import type { SourcesService } from '../../../ports/driving/sources-service.js';
import { getChunkTool } from './get-chunk-tool.js';
import { ingestTool } from './ingest-tool.js';
import { lessonsTool, similarTool } from './lesson-tools.js';
import { saveNoteTool } from './save-note-tool.js';
import { searchTool } from './search-tool.js';
import { statusTool } from './status-tool.js';
import type { Tool } from './tool.js';

/** All tools (docs/mcp.md, "Tools"), those that only read first. */
export function knowledgeTools(parts: KnowledgeToolsParts): readonly Tool[] {
  const { store, features, sources, notes } = parts;
  return [
    searchTool(store),
    lessonsTool(features),
    similarTool(store),
    getChunkTool(sources),
    statusTool(store),
    ingestTool(store),
    saveNoteTool(notes),
  ];
}

export interface KnowledgeToolsParts {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
  readonly sources: SourcesService;
  readonly notes: NotesService;
}
