import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunksIn } from '../support/database-inspection.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
let client: Client;
beforeAll(async () => {
  client = await startClient('hybrid');
});
afterAll(async () => {
  await client.service.stop();
  projects.removeAll();
});

/** Heading and content of each chunk of a file, as a rebuild stores them. */
async function chunksOf(text: string, settings?: object): Promise<readonly (string | null)[][]> {
  const project = projects.make({ 'file.md': text });
  if (settings !== undefined) project.writeSettings(settings);
  okBody(await client.rebuild(project));
  return chunksIn(project.database).map(({ heading, content }) => [heading, content]);
}

const tokens = (text: string) => (text.match(/\S+/g)?.length ?? 0) * 1.3;
const words = (count: number, word = 'w') =>
  Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');

test('a section is a chunk, its heading line not repeated', async () => {
  expect(await chunksOf('## A\none\n\ntwo\n### deeper\nthree\n## B\nfour')).toEqual([
    ['A', 'one\n\ntwo\n### deeper\nthree'],
    ['B', 'four'],
  ]);
});

test('text before the first section is a chunk, a title without text is not', async () => {
  expect(await chunksOf('# Title\n\n## A\none')).toEqual([['A', 'one']]);
  expect(await chunksOf('Intro.\n\n## A\none')).toEqual([
    [null, 'Intro.'],
    ['A', 'one'],
  ]);
  const [first, second] = await chunksOf('# Title\n\nIntro.\n\n## A\none');
  expect(first?.[0]).toBe('Title');
  expect(first?.[1]).toContain('Intro.');
  expect(second).toEqual(['A', 'one']);
});

test('without sections a chunk a paragraph, with the title of the file', async () => {
  expect(await chunksOf('# Title\n\none\nstill one\n\n\n\ntwo\n')).toEqual([
    ['Title', 'one\nstill one'],
    ['Title', 'two'],
  ]);
  expect(await chunksOf('one\n\ntwo')).toEqual([
    [null, 'one'],
    [null, 'two'],
  ]);
});

test('a heading line belongs to the paragraph under it', async () => {
  expect(await chunksOf('### A\none\n\n#### B\n\ntwo\n\n### C\n#### D\nthree')).toEqual([
    [null, '### A\none'],
    [null, '#### B\n\ntwo'],
    [null, '### C\n#### D\nthree'],
  ]);
});

test.each(['```', '~~~', '````'])('text in a fence of %s is never a heading', async (fence) => {
  expect(await chunksOf(`## A\n${fence}sh\n## no heading\n${fence}\nrest`)).toEqual([
    ['A', `${fence}sh\n## no heading\n${fence}\nrest`],
  ]);
  const only = await chunksOf(`one\n\n${fence}\n## no heading\n${fence}\n`);
  expect(only).toEqual([
    [null, 'one'],
    [null, `${fence}\n## no heading\n${fence}`],
  ]);
});

test('a line that only looks like a heading is not one', async () => {
  for (const line of ['##no space', '    ## code', '\\## escaped']) {
    expect((await chunksOf(`${line}\ntext`)).map(([heading]) => heading)).toEqual([null]);
  }
});

test('sections stay whole up to 500 tokens, heading and content together', async () => {
  const fits = await chunksOf(`## two words\n${words(382)}`);
  expect(fits).toEqual([['two words', words(382)]]);
  const over = await chunksOf(`## two words\n${words(383)}`);
  expect(over).toHaveLength(2);
  for (const [heading, content] of over) {
    expect(heading).toBe('two words');
    expect(tokens(`${heading} ${content}`)).toBeLessThanOrEqual(500);
  }
  expect(over.map(([, content]) => content).join(' ')).toBe(words(383));
});

test('a paragraph over the limit is cut at sentence ends', async () => {
  const sentence = (i: number) => `${words(99, `s${i}x`)} end${i}.`;
  const text = Array.from({ length: 10 }, (_, i) => sentence(i)).join(' ');
  const chunks = await chunksOf(text);
  expect(chunks.length).toBeGreaterThan(3);
  for (const [, content] of chunks) {
    expect(content).toMatch(/end\d\.$/);
    expect(tokens(content ?? '')).toBeLessThanOrEqual(500);
  }
  expect(chunks.map(([, content]) => content).join(' ')).toBe(text);
});

test('no text is lost and no chunk too large in a long file', async () => {
  const text = Array.from(
    { length: 40 },
    (_, i) => `## S${i}\n${words(10 + i * 25, `p${i}y`)}.\n\n${words(30, `q${i}z`)}\n`,
  ).join('\n');
  const chunks = await chunksOf(text);
  for (const [heading, content] of chunks)
    expect(tokens(`${heading} ${content}`)).toBeLessThanOrEqual(500);
  const kept = chunks
    .map(([, content]) => content)
    .join(' ')
    .match(/\S+/g);
  expect(kept).toEqual(text.replace(/^## .*$/gm, '').match(/\S+/g));
});

test('maxChunkSize below 500 is the limit, above it 500 is', async () => {
  const small = await chunksOf(words(100), { maxChunkSize: 26 });
  for (const [, content] of small) expect(tokens(content ?? '')).toBeLessThanOrEqual(26);
  expect(small).toHaveLength(5);
  const large = await chunksOf(words(800), { maxChunkSize: 5000 });
  for (const [, content] of large) expect(tokens(content ?? '')).toBeLessThanOrEqual(500);
  expect(large).toHaveLength(3);
});

test('defaultImportance is for file chunks without their own, and for no other source', async () => {
  const project = projects.make({ 'a.md': '---\nimportance: 0.9\n---\none\n\ntwo' });
  project.writeReflection('f', 'reflection');
  project.writeOutput('f', 'output');
  project.writeMemory('m', 'memory');
  project.writeSettings({ defaultImportance: 0.3 });
  okBody(await client.rebuild(project));
  expect(
    chunksIn(project.database).map(({ id, importance }) => [id.split('/').at(-1), importance]),
  ).toEqual([
    ['agent-output.md#0', 0.6],
    ['reflection.md#0', 0.8],
    ['m.md#0', 0.3],
    ['a.md#0', 0.9],
    ['a.md#1', 0.3],
  ]);
});

test('changed settings cut unchanged files again', async () => {
  const project = projects.make({ 'a.md': words(100) });
  expect(okBody(await client.rebuild(project)).totalChunks).toBe(1);
  project.writeSettings({ maxChunkSize: 65 });
  expect(okBody(await client.rebuild(project)).totalChunks).toBe(2);
  project.writeSettings({ maxChunkSize: 65, defaultImportance: 1 });
  okBody(await client.rebuild(project));
  expect(new Set(chunksIn(project.database).map((row) => row.importance))).toEqual(new Set([1]));
});

test('tags of frontmatter come as a list, one text, or several lines', async () => {
  const forms = [
    'tags: [a, b]',
    'tags:\n  - a\n  - b',
    'tags: a, b',
    'tags: [\'a\', "b"]\nusageStats:\n  loaded: 1\nrelatedFiles: []',
  ];
  for (const form of forms) {
    const project = projects.make({ 'a.md': `---\n${form}\n---\ntext` });
    okBody(await client.rebuild(project));
    expect(chunksIn(project.database)[0]?.tags).toBe('["a","b"]');
  }
});

test('malformed settings mean defaults and one warning', async () => {
  const wrong = [
    '{ not json',
    '[]',
    '7',
    '{"knowledgeStore": "text"}',
    '{"knowledgeStore": {"maxChunkSize": "big", "autoReindex": 1, "includePatterns": "x", "colour": 1}}',
  ];
  for (const text of wrong) {
    const project = projects.make({ 'a.md': words(100), '.knowledge/settings.json': text });
    expect(okBody(await client.rebuild(project)).totalChunks).toBe(1);
    expect(okBody(await client.search(project, 'w1')).results).toHaveLength(1);
    const warnings = client.service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('settings.json') && line.includes(project.path));
    expect(warnings).toHaveLength(1);
  }
});

test('one invalid setting does not affect the others', async () => {
  const project = projects.make({ 'a.md': words(100) });
  project.writeSettings({ maxChunkSize: 65, chunkOverlap: -1, defaultImportance: 2 });
  okBody(await client.rebuild(project));
  expect(chunksIn(project.database).map((row) => row.importance)).toEqual([0.5, 0.5]);
});
