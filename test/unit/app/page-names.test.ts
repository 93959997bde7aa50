import { beforeEach, expect, it } from 'vitest';
import { FakePageFetcher } from '../../fakes/fake-page-fetcher.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const folder = '.knowledge/urls';

let web: FakePageFetcher;
let world: CoreInMemory;

beforeEach(() => {
  web = new FakePageFetcher();
  world = coreInMemory({ pages: web });
});

const save = (url: string) => world.core.pages.savePage(P, { url });

it('the third page of a name gets the third number, and each is found again', async () => {
  const urls = ['https://a.example/b/c', 'https://a.example/b-c', 'https://a.example/b+c'];
  const names = [];
  for (const url of urls) names.push((await save(url)).sourceFile);
  expect(names).toEqual(
    ['a-example-b-c', 'a-example-b-c-2', 'a-example-b-c-3'].map((name) => `${folder}/${name}.md`),
  );
  for (const [index, url] of urls.entries()) {
    expect(await save(url)).toMatchObject({ sourceFile: names[index], isNew: false });
  }
});

it('only files with the name of the page are read to find it', async () => {
  for (const name of ['a-example-b-x', 'a-example-b-12x', 'a-example-b-x12', 'other-12', 'other']) {
    world.ports.files.set(`${folder}/${name}.md`, '# Page\n\ntext');
  }
  world.ports.files.set(`${folder}/a-example-b-12.md`, 'no frontmatter');
  await world.core.store.initialize(P);
  world.ports.files.reads.length = 0;
  expect(await save('https://a.example/b')).toMatchObject({ isNew: true });
  const read = new Set(world.ports.files.reads.filter((path) => path.startsWith(folder)));
  expect([...read].toSorted()).toEqual([`${folder}/a-example-b-12.md`, `${folder}/a-example-b.md`]);
});

it('a page whose file may not be read is saved under another name', async () => {
  await save('https://a.example/b');
  world.ports.files.refuse(`${folder}/a-example-b.md`, 'no permission');
  world.ports.files.refuse(`${folder}/a-example-b-2.md`, 'no permission');
  const again = save('https://a.example/b');
  expect(await again).toMatchObject({ sourceFile: `${folder}/a-example-b-2.md`, isNew: true });
});

it('a name that others keep taking is given up', async () => {
  const { files } = world.ports;
  let attempts = 0;
  files.createText = async () => {
    attempts += 1;
    return false;
  };
  await expect(save('https://a.example/b')).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('same name'),
  });
  expect(attempts).toBe(10);
});

it('a page that is the same is indexed again, but not written', async () => {
  await save('https://a.example/b');
  const { files } = world.ports;
  let writes = 0;
  const write = files.writeText.bind(files);
  files.writeText = async (...args) => {
    writes += 1;
    await write(...args);
  };
  expect(await save('https://a.example/b')).toMatchObject({ changed: false });
  expect(writes).toBe(0);
  web.page = { title: 'Another', markdown: web.page.markdown };
  expect(await save('https://a.example/b')).toMatchObject({ changed: true, title: 'Another' });
  expect(writes).toBe(1);
});
