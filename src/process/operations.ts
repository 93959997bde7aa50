import { join, resolve } from 'node:path';
import type {
  InstalledModel,
  OpenOptions,
  Operations,
} from '../adapters/cli/command-line-parts.js';
import { terminalLogger } from '../adapters/cli/terminal.js';
import { hybridApi } from '../adapters/http/routes/hybrid-api.js';
import type { Route } from '../adapters/http/routes/route.js';
import { hasEveryFile, sizeOfModel } from '../adapters/transformers/download/model-files.js';
import { findNativeRuntime } from '../adapters/transformers/model/network.js';
import type { Config } from '../app/config/fields.js';
import { type Environment, readConfig } from '../app/config/read-config.js';
import type { ComposedService } from '../app/service.js';
import { composeService } from '../app/wiring/compose-service.js';
import { noEmbedder } from '../app/wiring/null-objects.js';
import { KnowledgeError } from '../domain/errors.js';
import { findService } from './running-services.js';
import { lastFailureIn, leaveVectors, vectorLogOf } from './vector-process.js';

/** The environment and the standard error of a command. */
interface CommandWorld {
  readonly env: Environment;
  readonly err: (text: string) => void;
}

/**
 * Composes the service for one command, which calls the routes of the hybrid variant, in either variant, without HTTP.
 * @throws ConfigError
 */
export async function openOperations(
  { env, err }: CommandWorld,
  options: OpenOptions,
): Promise<Operations> {
  const config = readConfig({
    ...env,
    KNOWLEDGE_LOG_LEVEL: env['KNOWLEDGE_LOG_LEVEL'] || (options.logLevel ?? 'warn'),
  });
  const service = await composedFor(config, options, err);
  const routes = hybridApi(service);
  const running = options.service === 'asked' ? await findService(env, config) : undefined;
  return {
    call: async (name, fields) => {
      const answer = await running?.call(name, fields);
      if (answer !== undefined) return answer;
      const { route, parameters } = routeFor(routes, name);
      return JSON.parse((await route.handle({ ...fields, ...parameters })).text);
    },
    ingest: (projectPath, onProgress) => service.indexing.ingest({ projectPath }, { onProgress }),
    rebuild: (projectPath, onProgress) => service.indexing.rebuild({ projectPath }, { onProgress }),
    linesOf: (projectPath, ids) => service.sources.linesOf({ projectPath, ids: [...ids] }),
    skipped: (projectPath) => service.sources.skipped({ projectPath }),
    writeSettings: (projectPath) => service.setup.writeSettings({ projectPath }),
    loadModel: async () => {
      if (running === undefined) await service.embedder.embed('A text that loads the model.');
    },
    modelStatus: () => service.status.model(),
    modelFailure: () => service.embedder.status().failure,
    hasLanguageModel: config.languageModel !== undefined,
    installedModel: () => installedModel(config),
    leaveVectors: (projectPath) =>
      leaveVectors(service, { dataDir: config.dataDir, env }, projectPath),
    vectorLog: vectorLogOf(config),
    startBackgroundWork: () => service.startBackgroundWork(),
    stop: () => service.stop(),
  };
}

async function composedFor(
  config: Config,
  options: OpenOptions,
  err: CommandWorld['err'],
): Promise<ComposedService> {
  return composeService(
    { ...config, ...STORES[options.store] },
    {
      ports: {
        logger: terminalLogger({ level: config.logLevel, err }),
        ...(!mayLoad(options.model, config) && {
          embedder: noEmbedder(config.model, () => notInstalled(config)),
        }),
      },
      background: 'later',
      batches: 'foreground',
      ...(options.store === 'configured' && { sources: 'watched' }),
    },
    ...(mayLoad(options.model, config) ? [await embedders()] : []),
  );
}

async function embedders() {
  return (await import('../app/wiring/embedder-module.js')).embedderModule;
}

const STORES: Readonly<Record<OpenOptions['store'], Partial<Config>>> = {
  configured: {},
  scratch: { backend: 'memory' },
};

/** What the process that makes vectors met last, or that none has tried yet. */
function notInstalled(config: Config): string {
  const next =
    config.downloads === 'allowed'
      ? '"knowledge-store models pull" downloads it.'
      : 'downloads are forbidden.';
  return lastFailureIn(vectorLogOf(config)) ?? `The embedding model is not installed; ${next}`;
}

async function installedModel(config: Config): Promise<InstalledModel> {
  const { dataDir, model, runtime, embeddings } = config;
  const directory = resolve(dataDir, 'models');
  const bytes = await sizeOfModel(join(directory, model));
  const isInstalled = findNativeRuntime() !== undefined;
  const isFastest = embeddings !== undefined || (isInstalled && runtime !== 'wasm');
  const faster = isInstalled ? 'installed' : 'installable';
  return { name: model, directory, bytes, ...(!isFastest && { faster }) };
}

function mayLoad(model: OpenOptions['model'], config: Config): boolean {
  if (config.embeddings !== undefined) return model !== 'unused';
  if (model === 'installed') return hasEveryFile(join(config.dataDir, 'models', config.model));
  return model === 'downloaded';
}

/** @throws KnowledgeError `not_found` */
function routeFor(routes: readonly Route[], name: string) {
  for (const route of routes) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/{}]+|{$1})');
    const match = new RegExp(`^${route.method} ${pattern}$`).exec(name);
    if (match === null) continue;
    const filled = Object.entries(match.groups ?? {}).filter(([, value]) => !value.startsWith('{'));
    const parameters = filled.map(([key, value]) => [key, decodeURIComponent(value)]);
    return { route, parameters: Object.fromEntries(parameters) };
  }
  throw new KnowledgeError('not_found', `There is no route ${name}; docs/api.md lists them.`);
}
