import { expect, it } from 'vitest';
import { makeRetrievalWorld } from '../../support/retrieval-world.js';

async function search(texts: Readonly<Record<string, string>>, query: string) {
  const world = await makeRetrievalWorld();
  await world.fill(20);
  for (const [file, text] of Object.entries(texts)) await world.add(file, text);
  const { results, explanation } = await world.hybridSearch.read({
    projectPath: '/project',
    query,
    all: true,
  });
  return { match: explanation.match, files: results.map(({ chunk }) => chunk.sourceFile) };
}

it.each([
  ['email', 'The e-mail goes out at night.'],
  ['16GB', 'The machine has 16 GB of memory.'],
  ['10000', 'There are 10,000 rows.'],
  ['Mueller', 'Frau Müller knows the password.'],
  ['Müller', 'Frau Mueller knows the password.'],
  ['cooperate', 'The services co-operate at night.'],
  ['dataset', 'Each data set has a manifest.'],
  ['filesystems', 'The file-system is mounted read-only.'],
  ['2500000', 'It costs 2.500.000 in all.'],
  ['where is the limit of 10,000 rows for each table set', 'At most 10000 of them.'],
  ['how do we send the e-mail with the invoice of a month', 'Email goes out at night.'],
])('%j finds a text that writes it in another way', async (query, text) => {
  expect((await search({ 'other.md': text }, query)).files[0]).toBe('other.md');
});

it('a word that the store has is not read as two', async () => {
  const texts = { 'a.md': 'It is notable.', 'b.md': 'We were not able to open it.' };
  const { match } = await search(texts, 'notable');
  expect(match).not.toContain('"not able"');
});

it('both spellings count if both are used', async () => {
  const texts = { 'a.md': 'An email is sent.', 'b.md': 'An e-mail is sent.' };
  const { files } = await search(texts, 'email sent');
  expect(files.slice(0, 2).toSorted()).toEqual(['a.md', 'b.md']);
});

it('a spelling that is rare beside the written word counts for no more than the word', async () => {
  const shops = Array.from({ length: 6 }, (_, i) => [`${i}.md`, `An ecommerce site, number ${i}.`]);
  const texts = {
    ...Object.fromEntries(shops),
    'both.md': 'Their ecommerce is e-commerce of the usual kind, for many customers abroad.',
    'other.md': 'Plain e-commerce.',
    'price.md': 'The price list of the ecommerce site.',
  };
  const { match, files } = await search(texts, 'ecommerce price');
  expect(match).not.toContain('"e commerce"');
  expect(files[0]).toBe('price.md');
  expect(files).toContain('other.md');
});

it('a sentence with operators is read by the same rule', async () => {
  const texts = { 'a.md': 'The value of an e-mail address is stored.' };
  const { files } = await search(texts, 'where the email address IS kept AND why');
  expect(files[0]).toBe('a.md');
});

it.each(['project root', 'root', 'where is the Project Root', 'find project root'])(
  '%j finds a word in mixed case that has these words as parts',
  async (query) => {
    const { files } = await search({ 'paths.md': 'Call resolveProjectRoot first.' }, query);
    expect(files).toEqual(['paths.md']);
  },
);

it('words that occur somewhere are not looked for as parts', async () => {
  const texts = { 'paths.md': 'Call resolveProjectRoot first.', 'b.md': 'A root and a project.' };
  expect((await search(texts, 'project root')).match).not.toContain('resolveprojectroot');
});
