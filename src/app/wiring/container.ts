// Inversify stores its metadata in this peer dependency and requires that it be imported first.
import 'reflect-metadata';
import { Container, type ResolutionContext } from 'inversify';
import { nearestProject, projectKind } from '../../adapters/files/nearest-project.js';
import { worktreeText } from '../../adapters/files/worktree-text.js';
import { ConfigError } from '../config/config.js';
import type { Config } from '../config/fields.js';
import type { CorePorts } from '../core-ports.js';
import { createLibrary } from '../library/library.js';
import { QueryEmbeddings } from '../search/query-vectors.js';
import {
  type ComposedService,
  createUseCases,
  type UseCases,
  type VariantOptions,
} from '../service/service.js';
import { bindAdapters } from './bindings.js';
import type { Composition, HostOptions } from './host.js';
import { noLanguageModel } from './null-objects.js';
import { checkMethods } from './required-methods.js';
import { ADAPTERS, PORTS, QUERY_EMBEDDINGS, SERVICE, TOKENS, VARIANT } from './tokens.js';
import { type ComposedUserNotes, composeUserNotes } from './user-notes.js';
import { bindVariant } from './variants.js';

/**
 * Composes the service for a configuration.
 * @throws ConfigError
 */
export function composeService(config: Config, host: HostOptions = {}): ComposedService {
  return createContainer(config, host).get(SERVICE);
}

/**
 * Creates the container for a configuration, with the ports, the use cases under `SERVICE` and the library under
 * `TOKENS.service`.
 */
export function createContainer(config: Config, host: HostOptions = {}): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  const stopping = new AbortController();
  const composition = { config, host, stopping: stopping.signal };
  container.load(bindAdapters(composition), bindVariant(composition));
  for (const [name, adapter] of Object.entries(host.ports ?? {})) {
    container.rebind<unknown>({ ...PORTS, ...TOKENS }[name as PortName]).toConstantValue(adapter);
  }
  container.bind(ADAPTERS).toDynamicValue(({ get }) => readPorts(get));
  container
    .bind(QUERY_EMBEDDINGS)
    .toDynamicValue(({ get }) => host.queryEmbeddings ?? new QueryEmbeddings(get(ADAPTERS)));
  container.bind(SERVICE).toDynamicValue(({ get }) => {
    const ownParts = { ports: get(ADAPTERS), variant: get(VARIANT) };
    const parts = { config, host, ...ownParts, queryEmbeddings: get(QUERY_EMBEDDINGS) };
    return buildService(parts, () => stopping.abort());
  });
  container.bind(TOKENS.service).toDynamicValue(({ get }) => {
    const service = get(SERVICE);
    return { ...createLibrary(service, service.embedder), stop: () => service.stop() };
  });
  refuseLateBindings(container);
  return container;
}

/** Refuses bindings after the service was built, because they would not be used. */
function refuseLateBindings(container: Container): void {
  let isBuilt = false;
  container.onActivation(SERVICE, (_, service) => {
    isBuilt = true;
    return service;
  });
  for (const method of ['bind', 'rebind'] as const) {
    const bind: Container['bind'] = container[method].bind(container);
    container[method] = (token) => {
      if (isBuilt) throw new ConfigError(TOO_LATE);
      return bind(token);
    };
  }
}

const TOO_LATE =
  'The service has already been built, so binding a port again would have no effect; bind it before you get the service.';

type PortName = keyof typeof PORTS | keyof typeof TOKENS;

/**
 * Collects the ports by name.
 * @throws ConfigError for a port of the host that lacks a method
 */
function readPorts(get: ResolutionContext['get']): CorePorts {
  const ports = Object.entries(PORTS).map(([name, token]) => [name, get<unknown>(token)]);
  const { questionGenerator, summarizer, ...others }: CorePorts = Object.fromEntries(ports);
  checkMethods('questionGenerator', questionGenerator);
  checkMethods('summarizer', summarizer);
  return { ...others, questionGenerator, summarizer };
}

interface Parts extends Pick<Composition, 'config' | 'host'> {
  readonly ports: CorePorts;
  readonly variant: VariantOptions;
  readonly queryEmbeddings: QueryEmbeddings;
}

function buildService(parts: Parts, interruptCalls: () => void): ComposedService {
  const { config, host, ports, variant, queryEmbeddings } = parts;
  const { background = 'at once', shownId } = host;
  const user = composeUserNotes({
    config: host.userNotes,
    host,
    ports,
    queryEmbeddings,
    compose: composeService,
  });
  const useCases = createUseCases(ports, variant, {
    fileChecks: whenToCheckFiles(host),
    background,
    secrets: config.secrets,
    userNotes: user,
    ...(shownId && { shownId }),
  });
  return {
    ...useCases,
    logger: ports.logger,
    embedder: ports.embedder,
    reranker: ports.reranker,
    hasLanguageModel: ports.lessons !== noLanguageModel,
    nearestProject: (directory) => nearestProject(directory, ports.appDirs),
    worktreeText: (directory) => worktreeText(directory, ports.appDirs),
    projectKind: (directory) => projectKind(directory, ports.appDirs),
    ...backgroundWork(useCases.projects, user),
    checkStore: async () => ports.stores.connect?.(),
    stop: async () => {
      interruptCalls();
      await stopService(parts, useCases, user);
    },
  };
}

function whenToCheckFiles({ background, fileChecks }: HostOptions) {
  return background === 'later' ? 'before searches' : (fileChecks ?? 'at intervals');
}

type BackgroundWork = Pick<
  ComposedService,
  'isEnriching' | 'isAtWork' | 'startBackgroundWork' | 'inUse'
>;

/** The background work on projects and, once their service is needed, on user notes. */
function backgroundWork(
  projects: UseCases['projects'],
  user: ComposedUserNotes | undefined,
): BackgroundWork {
  return {
    isEnriching: (projectPath) =>
      projects.inUse().some(({ path, isEnriching }) => path === projectPath && isEnriching) ||
      user?.service?.isEnriching(projectPath) === true,
    isAtWork: () =>
      projects.inUse().some(({ isAtWork }) => isAtWork) || user?.service?.isAtWork() === true,
    startBackgroundWork: () => {
      projects.startBackgroundWork();
      user?.service?.startBackgroundWork();
    },
    inUse: () => [...projects.inUse(), ...(user?.service?.inUse() ?? [])],
  };
}

/**
 * Stops background work, then closes the stores. Call it after model calls were interrupted, because background work
 * waits for them.
 */
async function stopService(
  { ports, variant }: Parts,
  { projects, ingestion, search }: UseCases,
  user: ComposedUserNotes | undefined,
): Promise<void> {
  const userEnded = user?.service?.stop();
  ingestion.stop();
  variant.enrichment.stop();
  const ended = [projects.stop(), userEnded];
  await ports.embedder.close();
  await Promise.all([...ended, search.stop()]);
  await ports.stores.close();
}
