import type { KnowledgeServices } from '../../../ports/driving/knowledge-services.js';
import { getChunkTool } from './get-chunk-tool.js';
import { ingestTool } from './ingest-tool.js';
import { lessonsTool, similarTool } from './lesson-tools.js';
import { saveNoteTool } from './save-note-tool.js';
import { searchTool } from './search-tool.js';
import { statusTool } from './status-tool.js';
import type { Tool } from './tool.js';

/** All tools (docs/mcp.md, "Tools"), those that only read first. */
export function knowledgeTools({
  store,
  features,
  sources,
  notes,
}: Pick<KnowledgeServices, 'store' | 'features' | 'sources' | 'notes'>): readonly Tool[] {
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
