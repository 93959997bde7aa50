import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createKnowledgeStore } from '../../src/index.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { CHECKOUT, directoryOfRealModel, runProgram } from '../support/running-service.js';
import { memoryStores } from '../support/sqlite-stores.js';
import { testProjects } from '../support/test-projects.js';

const LIBRARY = await readFile(join(CHECKOUT, 'src', 'index.ts'), 'utf8');
const { path: project } = testProjects().make({
  'docs/databases.md': '## Migrations\nA database migration runs in one transaction.\n',
});

describe('the examples in the doc comments', () => {
  test('of createKnowledgeStore finds the stored chunks', async () => {
    const [code] = commentedExamples();
    const ran = await runModule((code ?? '').replaceAll('/home/me/project', project));
    expect(ran).toBe('docs/databases.md Migrations\n');
  });

  test('of chunkMarkdownFile returns the chunks shown below it', async () => {
    const [, , code = ''] = commentedExamples();
    const [head, written = ''] = code.split(/;\n(?=\/\/ )/);
    const printing = (head ?? '').replace(/^chunkMarkdownFile/m, 'console.log(chunkMarkdownFile');
    const ran = await runModule(`${printing});`);
    expect(withoutSpace(ran)).toBe(withoutSpace(written.replaceAll('//', '')));
  });
});

describe('the programs in docs/library.md', () => {
  const model = directoryOfRealModel();
  const result = /^docs\/databases\.md Migrations [01](\.\d+)?\n$/;

  test('the first waits for the vectors, so that its result has a relevance', async () => {
    const options = `{ backends: { embedder: ${EMBEDDER} } }`;
    const code = (await program(0)).replace("{ dataDir: '/tmp/knowledge' }", options);
    const ran = await runFile(code);
    expect(ran).toMatchObject({ err: '', out: expect.stringMatching(result) });
  });

  test.skipIf(model === undefined)('the first waits for the real model', async () => {
    const ran = await runFile((await program(0)).replace("'/tmp/knowledge'", `'${model}'`));
    expect(ran).toMatchObject({ err: '', out: expect.stringMatching(result) });
  });

  test('the test with fakes prints what it finds', async () => {
    expect(await runFile(await program(1))).toMatchObject({ err: '', out: 'Migrations\n' });
  });

  test('show one short line of our code if an error is not caught', async () => {
    const code = `import { createKnowledgeStore } from 'knowledge-store';
      await createKnowledgeStore({ dataDir: '/nowhere' }).store.search('relative', 'x');`;
    const { err } = await runFile(code);
    expect(err).toContain('KnowledgeError: projectPath must be an absolute path.');
    expect(Math.max(...err.split('\n').map((line) => line.length))).toBeLessThan(300);
  });
});

describe('createKnowledgeStore', () => {
  test('opens nothing by itself, and refuses calls once it is stopped', async () => {
    const before = await readdir(project);
    const { store, stop } = createKnowledgeStore({ ...QUIET, variant: 'search-only' });
    expect(await readdir(project)).toEqual(before);
    await stop();
    await stop();
    await expect(store.search(project, 'database')).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });

  test('has the embedder that the store uses', async () => {
    const backends = { embedder: FakeEmbedder.ready() };
    const { embedder, stop } = createKnowledgeStore({ ...QUIET, backends });
    const [first, second] = await embedder.embedBatch(['one', 'one']);
    const alone = await embedder.embed('one');
    expect(embedder.isReady()).toBe(true);
    expect([...(first ?? [])]).toEqual([...alone]);
    expect(embedder.cosineSimilarity(first ?? alone, second ?? alone)).toBeCloseTo(1);
    await stop();
    await expect(embedder.embed('one')).rejects.toHaveProperty('code', 'model_unavailable');
  });

  test('has no embedder in the search-only variant', async () => {
    const { embedder, stop } = createKnowledgeStore({ ...QUIET, variant: 'search-only' });
    expect(embedder.isReady()).toBe(false);
    await expect(embedder.embed('one')).rejects.toHaveProperty('code', 'model_unavailable');
    await stop();
  });

  test('opens the stores of the host program instead of its own, and closes them', async () => {
    const held = memoryStores({ model: 'Xenova/all-MiniLM-L6-v2' });
    const { store, stop } = createKnowledgeStore({ ...QUIET, backends: { stores: held } });
    await store.reindex(project);
    expect((await store.getStats(project)).dbPath).toBe(`:memory:${project}`);
    expect(await (await held.find(project))?.chunks.stats()).toMatchObject({ totalChunks: 1 });
    await stop();
    await expect(held.open(project)).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

const QUIET = { downloads: 'forbidden', logger: 'silent' } as const;

/** The code of an embedder that compares nothing. */
const EMBEDDER = `{
  embed: async () => new Float32Array(384).fill(1),
  embedBatch: async (texts) => texts.map(() => new Float32Array(384).fill(1)),
  isReady: () => true,
}`;

/** A program of docs/library.md, for the project of these tests. */
async function program(index: number): Promise<string> {
  const text = await readFile(join(CHECKOUT, 'docs/library.md'), 'utf8');
  const programs = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)];
  return (programs[index]?.[1] ?? '')
    .replaceAll('/absolute/path/of/your/project', project)
    .replaceAll('redis cache invalidation', 'migration');
}

/** The code of the examples of src/index.ts, in their order. */
function commentedExamples(): readonly string[] {
  const blocks = LIBRARY.matchAll(/^ \* ```js\n([\s\S]*?)^ \* ```$/gm);
  return [...blocks].map(([, code = '']) => code.replace(/^ \* ?/gm, ''));
}

/** What a module prints. */
async function runModule(code: string): Promise<string> {
  return (await runFile(code)).out;
}

/** Runs a module that lies in `dist`, from where the package can be imported by its name. */
async function runFile(code: string) {
  const file = join(CHECKOUT, 'dist', `.example-${process.pid}.mjs`);
  await writeFile(file, code);
  try {
    return await runProgram([process.execPath, file], CHECKOUT);
  } finally {
    await rm(file);
  }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
