import { ContainerModule } from 'inversify';
import type { WorkerWorld } from '../../adapters/workers/serve-worker.js';
import type { ProjectDirectories } from '../../ports/driven/project-directories.js';
import { noEnrichment } from './null-objects.js';
import { CONFIG, CORE_OPTIONS, NEIGHBOURS, PORTS, VARIANT_PARTS } from './tokens.js';
import { createSourceWatcher } from './watching-module.js';

/** What differs in a worker: it uses the model and the log of the service, and only the owner does background work. */
export function workerModule(world: WorkerWorld): ContainerModule {
  const { role, logger, embedder } = world;
  return new ContainerModule(({ rebind, onActivation }) => {
    rebind(PORTS.logger).toConstantValue(logger);
    rebind(PORTS.embedder).toConstantValue(embedder);
    rebind(NEIGHBOURS).toConstantValue({
      onWork: world.noteWork,
      claims: { exclusively: world.exclusively },
    });
    rebind(PORTS.watcher).toResolvedValue(createSourceWatcher, [PORTS.appDirs]);
    onActivation(PORTS.directories, (_, directories) => noting(directories, world));
    if (role === 'owner') return;
    rebind(CORE_OPTIONS).toResolvedValue(
      ({ idleSeconds }) => ({ idleSeconds, background: 'leave' as const }),
      [CONFIG],
    );
    onActivation(VARIANT_PARTS, (_, parts) => ({ ...parts, enrichment: noEnrichment }));
  });
}

/** Notes which project a call concerns. */
function noting(directories: ProjectDirectories, world: WorkerWorld): ProjectDirectories {
  return {
    resolve: async (projectPath) => {
      const path = await directories.resolve(projectPath);
      world.noteProject(projectPath, path);
      world.noteWork(path);
      return path;
    },
  };
}
