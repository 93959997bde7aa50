import type { Service } from '../../../app/service/service.js';
import { completeFeatureTool, lessonsTool, similarTool } from './lessons.js';
import { readiness } from './readiness.js';
import { getTool, statusTool } from './reading.js';
import { searchTool } from './search.js';
import type { Tool } from './tool.js';
import { deleteNoteTool, ingestTool, saveNoteTool } from './writing.js';

/** The services behind the tools, and whether a language model is configured. */
export type ToolParts = Service & { readonly hasLanguageModel: boolean };

/** The tools that work in this setup (docs/mcp.md, "Tools"), read-only ones first. */
export function knowledgeTools(service: ToolParts): readonly Tool[] {
  const becomesReady = readiness(service);
  return [
    searchTool(service, becomesReady),
    lessonsTool(service, becomesReady),
    similarTool(service, becomesReady),
    getTool(service),
    statusTool(service),
    ingestTool(service),
    saveNoteTool(service),
    deleteNoteTool(service),
    ...(service.hasLanguageModel ? [completeFeatureTool(service)] : []),
  ];
}
