import type { KnowledgeServices } from '../../../ports/driving/knowledge-services.js';
import { completeFeatureTool, lessonsTool, similarTool } from './lessons.js';
import { getTool, statusTool } from './reading.js';
import { searchTool } from './search.js';
import type { Tool } from './tool.js';
import { deleteNoteTool, ingestTool, saveNoteTool } from './writing.js';

/** All tools (docs/mcp.md, "Tools"), those that only read first. */
export function knowledgeTools(
  services: Pick<
    KnowledgeServices,
    'store' | 'features' | 'sources' | 'notes' | 'citations' | 'across'
  >,
): readonly Tool[] {
  return [
    searchTool(services),
    lessonsTool(services),
    similarTool(services),
    getTool(services),
    statusTool(services),
    ingestTool(services),
    saveNoteTool(services),
    deleteNoteTool(services),
    completeFeatureTool(services),
  ];
}
