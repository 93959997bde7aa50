import type { KnowledgeServices } from '../../../ports/driving/knowledge-services.js';
import { getTool } from './get-tool.js';
import { ingestTool } from './ingest-tool.js';
import { completeFeatureTool, lessonsTool, similarTool } from './lesson-tools.js';
import { deleteNoteTool, saveNoteTool } from './note-tools.js';
import { searchTool } from './search-tool.js';
import { statusTool } from './status-tool.js';
import type { Tool } from './tool.js';

/** All tools (docs/mcp.md, "Tools"), those that only read first. */
export function knowledgeTools(
  services: Pick<
    KnowledgeServices,
    'store' | 'features' | 'sources' | 'notes' | 'citations' | 'across'
  >,
): readonly Tool[] {
  const { store, sources, notes } = services;
  return [
    searchTool(services),
    lessonsTool(services),
    similarTool(services),
    getTool(sources),
    statusTool(services),
    ingestTool(store),
    saveNoteTool(notes),
    deleteNoteTool(notes),
    completeFeatureTool(services),
  ];
}
