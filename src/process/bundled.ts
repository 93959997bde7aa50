import { statSync } from 'node:fs';

/**
 * The file of `command.ts`, to be imported: the one in the bundle, which loads in half the time and takes less memory,
 * unless modules were compiled after that was made (docs/decisions/0034-bundled-command.md).
 */
export function bundled(): string {
  const bundle = new URL('../bundle/command.js', import.meta.url);
  const isCurrent = changedAt(bundle) > changedAt(new URL('../.tsbuildinfo', import.meta.url));
  return isCurrent ? bundle.href : new URL('./command.js', import.meta.url).href;
}

/** 0 for a file that does not exist. */
function changedAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
