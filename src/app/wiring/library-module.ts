import { ContainerModule } from 'inversify';
import { libraryOf } from '../library/library.js';
import { SERVICE, TOKENS } from './tokens.js';

/** The service as a program that imports the library sees it. */
export const libraryModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.service).toResolvedValue(
    (service) => ({ ...libraryOf(service, service.embedder), stop: () => service.stop() }),
    [SERVICE],
  );
});
