import { ContainerModule } from 'inversify';
import { FileSystemSourceWatcher } from '../../adapters/files/file-system-source-watcher.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { SourceWatcher } from '../../ports/driven/source-watcher.js';
import { PORTS } from './tokens.js';

/** What differs where a service runs for long: it watches the sources of the projects in use, and its model is loaded at once. */
export const watchingModule = new ContainerModule(({ rebind, onActivation }) => {
  rebind(PORTS.watcher).toResolvedValue(createSourceWatcher, [PORTS.appDirs]);
  onActivation(PORTS.embedder, (_, embedder) => {
    embedder.load('installed');
    return embedder;
  });
});

/** Watches the file system. */
export function createSourceWatcher(appDirs: AppDirectories): SourceWatcher {
  return new FileSystemSourceWatcher(appDirs);
}
