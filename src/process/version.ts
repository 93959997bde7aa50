import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Of this package. */
export const { version }: { readonly version: string } = createRequire(import.meta.url)(
  '../../package.json',
);

/**
 * Identifies the build of a version: the text of the entry point of the local service, which names every file of its
 * code by a digest. Empty where nothing is built.
 */
export function readBuild(): string {
  try {
    return readFileSync(new URL('../../dist/bundle/local-service.js', import.meta.url), 'utf8');
  } catch {
    return '';
  }
}
