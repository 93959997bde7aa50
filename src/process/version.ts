import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Version of this package. */
export const { version }: { readonly version: string } = createRequire(import.meta.url)(
  '../../package.json',
);

/**
 * Identifies a build: the text of the local service's entry point, which names each code file by its digest. Empty if
 * nothing is built.
 */
export function readBuild(): string {
  try {
    return readFileSync(new URL('../../dist/bundle/local-service.js', import.meta.url), 'utf8');
  } catch {
    return '';
  }
}
