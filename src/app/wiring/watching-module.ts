import { ContainerModule } from 'inversify';
import { FileSystemSourceWatcher } from '../../adapters/files/watch/file-system-source-watcher.js';
import type { SourceWatcher } from '../../ports/driven/source-watcher.js';
import type { Config } from '../config/config.js';
import { CONFIG, PORTS } from './tokens.js';

/** What differs where a service runs for long: it watches the sources of the projects in use. */
export const watchingModule = new ContainerModule(({ rebind }) => {
  rebind(PORTS.watcher).toResolvedValue(createSourceWatcher, [CONFIG]);
});

/** Watches the file system. */
export function createSourceWatcher({ appDir }: Config): SourceWatcher {
  return new FileSystemSourceWatcher(appDir);
}
