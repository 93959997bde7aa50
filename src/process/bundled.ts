import { statSync } from 'node:fs';

/**
 * The file to import for `command.ts`: its bundle, which loads twice as fast and takes less memory, unless any module
 * was compiled after the bundle (docs/decisions/0034-bundled-command.md).
 */
export function commandUrl(): string {
  const bundle = new URL('../bundle/command.js', import.meta.url);
  const isCurrent = changedAt(bundle) > changedAt(new URL('../.tsbuildinfo', import.meta.url));
  return isCurrent ? bundle.href : new URL('./command.js', import.meta.url).href;
}

/** Time of the last change, in milliseconds since 1970; 0 if the file does not exist. */
function changedAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
