import type { SearchInput } from '../shared/api.js';
import { shellQuoted } from '../shared/text.js';

/** A search as a shell command. */
export function searchCurl(search: SearchInput, origin: string): string {
  return [
    `curl -sS ${origin}/api/knowledge/x/search \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${shellQuoted(JSON.stringify(search))}`,
  ].join('\n');
}

/** A search as code that uses the library. */
export function libraryCodeOf({ projectPath, query, ...options }: SearchInput): string {
  const last = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options, null, 2)}`;
  return [
    "import { createKnowledgeStore } from 'knowledge-store';",
    '',
    'const { store, stop } = createKnowledgeStore();',
    `const answer = await store.find(${JSON.stringify(projectPath)}, ${JSON.stringify(query)}${last});`,
    'for (const { chunk } of answer.results) console.log(chunk.id, chunk.heading);',
    'await stop();',
  ].join('\n');
}

/** A search as a call of the MCP tool `search`, which has no options for fusion and candidates. */
export function mcpCallOf(search: SearchInput): string {
  const { projectPath: project, query, also, maxResults, maxTokens, sourceTypes } = search;
  const fields = {
    query,
    also,
    project,
    max_results: maxResults,
    max_tokens: maxTokens,
    source_types: sourceTypes,
  };
  const params = { name: 'search', arguments: fields };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2);
}
