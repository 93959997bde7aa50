import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT, runProgram } from '../support/running-service.js';
import {
  okBody,
  startClient,
  type TestedVariant,
  VARIANTS,
} from '../support/running-service-calls.js';
import { TempProject } from '../support/temp-project.js';

const stops: (() => Promise<void>)[] = [];

let project: TempProject;

/** Both variants are compiled together, because the compiler takes longer than everything else. */
beforeAll(async () => {
  project = new TempProject({ 'docs/db.md': '## Locks\nWriters wait.\n' });
  project.write('package.json', '{ "type": "module" }');
  await symlink(join(CHECKOUT, 'node_modules'), project.at('node_modules'));
  await Promise.all(VARIANTS.map(generateClient));
  const tsc = [join(CHECKOUT, 'node_modules/.bin/tsc'), ...SOURCES, ...COMPILER_OPTIONS];
  expect(await runProgram(tsc, project.path)).toMatchObject({ code: 0, out: '' });
}, 120_000);

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  project.remove();
});

test.each(VARIANTS)(
  'the client of docs/api.md, with types that openapi-typescript generates, compiles and searches: %s',
  async (variant) => {
    const { out } = await runProgram([process.execPath, `${variant}/client.js`], project.path);
    expect(out).toBe('docs/db.md#0 Locks\n');
  },
);

// Helpers

const SOURCES = VARIANTS.map((variant) => `${variant}/client.ts`);

const COMPILER_OPTIONS = [
  ...['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck'],
  ...[
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
    '--module',
    'nodenext',
    '--types',
    'openapi-fetch',
  ],
];

async function generateClient(variant: TestedVariant): Promise<void> {
  const { service } = await startClient(variant);
  stops.push(() => service.stop());
  okBody(await service.post('/api/knowledge/rebuild', { projectPath: project.path }));
  const { body } = await service.get('/openapi.json');
  project.write(`${variant}/knowledge-store.d.ts`, astToString(await openapiTypes(body)));
  project.write(`${variant}/client.ts`, await documentedClient(service.url));
}

/** The client that the documentation shows, for another address and project. */
async function documentedClient(url: string): Promise<string> {
  const api = await readFile(join(CHECKOUT, 'docs/api.md'), 'utf8');
  const [, block = ''] = /```ts\n(.*?)```/s.exec(api) ?? [];
  return block.replace('http://127.0.0.1:3737', url).replace('/home/me/project', project.path);
}
