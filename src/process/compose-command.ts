import { join } from 'node:path';
import type { OpenOptions, Operations } from '../adapters/cli/command-line-parts.js';
import { terminalLogger } from '../adapters/cli/terminal.js';
import { hasEveryFile } from '../adapters/transformers/download/model-files.js';
import type { Config } from '../app/config/fields.js';
import { type Environment, readConfig } from '../app/config/read-config.js';
import { composeService } from '../app/wiring/container.js';
import { noEmbedder } from '../app/wiring/null-objects.js';
import { inProcessOperations } from './operations-in-process.js';

/** The environment and standard error of a command. */
export interface CommandContext {
  readonly env: Environment;
  readonly err: (text: string) => void;
}

/** Composes the service in the command's own process. @throws ConfigError */
export function inThisProcess({ env, err }: CommandContext, options: OpenOptions): Operations {
  const config = readConfig({
    ...env,
    KNOWLEDGE_LOG_LEVEL: env['KNOWLEDGE_LOG_LEVEL'] || (options.logLevel ?? 'warn'),
  });
  const isLoaded = mayLoad(options.model, config);
  const service = composeService(
    { ...config, ...STORES[options.store] },
    {
      ports: {
        logger: terminalLogger({ level: config.logLevel, err }),
        ...(!isLoaded && { embedder: noEmbedder(config.model, () => notInstalled(config)) }),
      },
      userNotes: config,
      background: 'later',
      batches: 'foreground',
      ...(options.store === 'configured' && { sources: 'watched' }),
    },
  );
  return inProcessOperations(service, config);
}

const STORES: Readonly<Record<OpenOptions['store'], Partial<Config>>> = {
  configured: {},
  scratch: { backend: 'memory' },
};

function notInstalled({ downloads }: Config): string {
  const next =
    downloads === 'allowed'
      ? '"knowledge-store models pull" downloads it.'
      : 'downloads are forbidden.';
  return `The embedding model is not installed; ${next}`;
}

function mayLoad(model: OpenOptions['model'], config: Config): boolean {
  if (config.embeddings !== undefined) return model !== 'unused';
  if (model === 'installed') return hasEveryFile(join(config.dataDir, 'models', config.model));
  return model === 'downloaded';
}
