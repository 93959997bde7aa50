import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The real project, if it is next to the checkout; otherwise tests that need it are skipped. */
export const REAL_PROJECT = {
  path: fileURLToPath(new URL('../../../shared/projects/aiom', import.meta.url)),
  appDir: '.automaker',
} as const;

export const hasRealProject = existsSync(REAL_PROJECT.path);
if (!hasRealProject) console.warn(`Tests of the real project are skipped: no ${REAL_PROJECT.path}`);
