import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { measure } from '../../../bench/measures/count.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'measured-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the measures of the source', () => {
  const measures = measure(ROOT);

  it('has rooms in app that import each other in one direction', () => {
    expect(measures.ringsInApp).toEqual([]);
  });

  it('has few casts, and no more folders that import each other', () => {
    expect(measures.casts).toBeLessThanOrEqual(40);
    expect(measures.pairs.length).toBeLessThanOrEqual(7);
  });
});

describe('the measures', () => {
  it('count what their names say', () => {
    plant(
      'src/app/a/one.ts',
      "import { two } from '../b/two.js';\nexport const x = two as number;\n",
    );
    plant('src/app/b/two.ts', "import '../c/three.js';\nexport const two = 2 as const;\n");
    plant(
      'src/app/c/three.ts',
      "import type { x } from '../a/one.js';\nexport type Y = typeof x;\n",
    );
    plant('src/app/b/three.ts', "import './two.js';\nexport function sizeOf() {}\n");
    plant('src/ports/answer.ts', 'export interface Answer { a: 1; b: 2; c: 3 }\n');
    plant('src/schemas/answer.ts', 'export const answer = z.object({ c: n, a: n, b: n });\n');
    plant('test/one.test.ts', '\n\nit();\n');
    expect(measure(folder)).toMatchObject({
      lines: 10,
      testLines: 3,
      casts: 1,
      namedOf: 1,
      namedIn: 0,
      ringsInApp: ['src/app/a <-> src/app/b <-> src/app/c'],
      describedTwice: ['src/ports/answer.ts Answer (src/schemas/answer.ts)'],
    });
  });
});

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
