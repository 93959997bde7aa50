import type { ServedProject } from '../adapters/cli/command-line-parts.js';
import { serveStdio } from '../adapters/mcp/server/serve-stdio.js';
import { knowledgeTools } from '../adapters/mcp/tools/knowledge-tools.js';
import { type Environment, readConfig } from '../app/config/read-config.js';
import { composeService } from '../app/wiring/container.js';
import { version } from './version.js';

/**
 * Runs the MCP server on standard input and output, until the client is gone.
 * @param project the project for calls that name none
 * @throws ConfigError
 */
export async function serveMcp(env: Environment, project: ServedProject): Promise<void> {
  const config = readConfig(env);
  const service = composeService(config, { sources: 'watched', userNotes: config });
  service.embedder.load('installed');
  await serveStdio({ ...service, tools: knowledgeTools(service), ...project, version });
  const timer = setTimeout(() => process.exit(0), STOP_TIMEOUT_MS);
  await service.stop();
  clearTimeout(timer);
  process.exit(0);
}

/** Short, because no client waits for an answer any more. */
const STOP_TIMEOUT_MS = 2000;
