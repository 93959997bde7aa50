import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { ProjectKeyFile } from '../../adapters/files/project-key-file.js';
import { PostgresProjectStores } from '../../adapters/postgres/stores/postgres-project-stores.js';
import { CHECK_STORE, CONFIG, PORTS, RELEASE_PROJECT, STOP_WAITING } from './tokens.js';

/** One schema per project in a PostgreSQL database. */
export const postgresModule = new ContainerModule(({ bind }) => {
  bind(POSTGRES).toResolvedValue(
    ({ databaseUrl = '' }, { model, dimensions }, files, appDirs, clock, logger, release, stop) =>
      new PostgresProjectStores({
        url: databaseUrl,
        keys: new ProjectKeyFile(files, appDirs),
        model,
        dimensions,
        clock,
        logger,
        stopWaiting: stop.signal,
        onReplaced: (projectPath) => void release(projectPath),
      }),
    [
      CONFIG,
      PORTS.embedder,
      PORTS.files,
      PORTS.appDirs,
      PORTS.clock,
      PORTS.logger,
      RELEASE_PROJECT,
      STOP_WAITING,
    ],
  );
  bind(PORTS.stores).toResolvedValue((stores) => stores, [POSTGRES]);
  bind(CHECK_STORE).toResolvedValue((stores) => () => stores.connect(), [POSTGRES]);
});

const POSTGRES: ServiceIdentifier<PostgresProjectStores> = Symbol('postgres');
