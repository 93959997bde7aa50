#!/usr/bin/env node
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The command `knowledge-store`. Runs the bundle, which starts in half the time, unless modules were compiled after it was
 * made.
 */
const bundle = new URL('./bundle/command.js', import.meta.url);
const isCurrent = changedAt(bundle) > changedAt(new URL('./.tsbuildinfo', import.meta.url));
const { runCommand } = await import(isCurrent ? bundle.href : './process/command.js');
await runCommand(fileURLToPath(import.meta.url));

/** 0 for a file that does not exist. */
function changedAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
