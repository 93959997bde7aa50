import { beforeEach, describe, expect, it } from 'vitest';
import type { SourceGroup } from '../../../src/app/ingestion/source-kinds.js';
import type { Project } from '../../../src/app/project.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';
import { pruneAll, unretrieved } from '../../support/unretrieved.js';

const REFLECTION = '.knowledge/features/f-1/reflection.md';
const OUTPUT = '.knowledge/features/f-1/agent-output.md';
const CATEGORY = '.knowledge/memory/storage.md';
const DOC = 'docs/guide.md';

let world: CoreInMemory;
let files: CoreInMemory['ports']['files'];
let project: Project;
let ingestion: CoreInMemory['core']['ingestion'];
let parsed: string[];
let includePatterns: readonly string[];
let problems: readonly string[] | undefined;
let excludePatterns: readonly string[];

beforeEach(async () => {
  parsed = [];
  ({ includePatterns, excludePatterns, problems } = DEFAULT_SETTINGS);
  world = coreInMemory({
    frontmatter: { parse: (yaml) => ({ parsed: parsed.push(yaml) }) },
    settings: {
      read: async () => ({
        ...DEFAULT_SETTINGS,
        includePatterns,
        excludePatterns,
        ...(problems !== undefined && { problems }),
      }),
    },
  });
  files = world.ports.files;
  files.set(REFLECTION, 'reflected');
  files.set(OUTPUT, 'done');
  files.set(CATEGORY, '---\ntags: [a]\n---\nremembered');
  files.set(DOC, 'documented');
  ingestion = world.core.ingestion;
  project = await world.core.projects.open('/project');
});

const ingest = (group?: SourceGroup) =>
  ingestion.ingest(project, group === undefined ? {} : { group });

describe('an ingestion', () => {
  it('indexes reflections, agent outputs, categories and documentation', async () => {
    expect(await ingest()).toMatchObject({ indexed: 4, skipped: [] });
    expect(await indexed()).toEqual([DOC, OUTPUT, REFLECTION, CATEGORY].toSorted());
  });

  it('reports its progress, and stops once it is cancelled', async () => {
    const cancelling = new AbortController();
    const told: object[] = [];
    const onProgress = (progress: { readonly done: number }) => {
      told.push(progress);
      if (progress.done === 1) cancelling.abort();
    };
    const cancelled = ingestion.ingest(project, { onProgress, signal: cancelling.signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(told).toEqual([0, 1].map((done) => ({ done, total: 4 })));
  });

  it('concerns its own kind of source alone', async () => {
    await ingest();
    for (const path of files.paths) files.delete(path);
    await ingest('reflections');
    expect(await indexed()).not.toContain(REFLECTION);
    await ingest('agentOutputs');
    expect(await indexed()).toEqual([CATEGORY, DOC]);
    expect(await ingest('categories')).toMatchObject({ indexed: 0, skipped: [] });
    expect(await indexed()).toEqual([DOC]);
  });

  it('indexes notes, web pages and digests with their types, also those of other programs', async () => {
    files.set('.knowledge/notes/a.md', '# A\n\nnoted');
    files.set('.knowledge/urls/b.md', '# B\n\nfetched');
    files.set('.knowledge/digests/c.md', '# C\n\ndigested');
    expect(await ingest('saved')).toMatchObject({ indexed: 3, skipped: [] });
    const { sourceTypeBreakdown } = await project.store.chunks.stats();
    expect(sourceTypeBreakdown).toMatchObject({ manual: 1, url: 1, generated: 1 });
    files.delete('.knowledge/notes/a.md');
    expect(await ingest('saved')).toEqual({ indexed: 2, skipped: [], removed: 1 });
    expect(await ingest()).toMatchObject({ indexed: 6, skipped: [] });
  });

  it('brings a single source up to date: restores pruned chunks, and removes those that are gone', async () => {
    const note = '.knowledge/notes/a.md';
    const ingestNote = () => ingestion.ingestFile(project, note);
    files.set(note, '# A\n\nnoted');
    expect(await ingestNote()).toMatchObject({ state: 'there', chunks: 1 });
    await pruneAll(project.store);
    expect(await ingestNote()).toMatchObject({ state: 'there', chunks: 1 });
    expect(await indexed()).toEqual([note]);
    files.delete(note);
    expect(await ingestNote()).toMatchObject({ state: 'gone', chunks: 0 });
    expect(await indexed()).toEqual([]);
  });

  it('indexes notes in folders, and lists the files of its own folders that it does not read', async () => {
    const others = ['notes/b.txt', 'notes/deep/c.MD', 'memory/plan.txt', 'urls/page.html'];
    for (const name of ['notes/deep/a.md', ...others]) files.set(`.knowledge/${name}`, 'numbat');
    files.set('.knowledge/memory/_index.md', 'numbat');
    const { indexed: count, skipped } = await ingest();
    expect(count).toBe(6);
    expect(await indexed()).toEqual(
      expect.arrayContaining(['.knowledge/notes/deep/a.md', '.knowledge/notes/deep/c.MD']),
    );
    const reason = 'only .md files are read in this folder';
    expect(skipped).toEqual([
      { sourceFile: '.knowledge/memory/plan.txt', reason },
      { sourceFile: '.knowledge/notes/b.txt', reason },
      { sourceFile: '.knowledge/urls/page.html', reason },
    ]);
  });

  it('reads a file once, for its text and its problems, and only counts it while it is unchanged', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await ingest('categories')).toMatchObject({ indexed: 1 });
      expect(parsed).toEqual(['tags: [a]\n', 'tags: [a]\n']);
    }
    expect(files.reads).toEqual([CATEGORY]);
  });

  it('reads a file again that changed before the write lock was taken', async () => {
    beforeWriting(() => files.set(DOC, 'newer'));
    await ingest();
    expect(await contentOf(DOC)).toBe('newer');
  });

  it('indexes 60,000 paragraphs of one file as few chunks', async () => {
    files.set(DOC, 'a\n\n'.repeat(60_000));
    await ingest();
    const sources = await project.store.chunks.indexedSources();
    const chunks = Math.ceil(60_000 / Math.floor(500 / 1.3));
    expect(sources.find(({ sourceFile }) => sourceFile === DOC)?.chunkCount).toBe(chunks);
  });

  it('lists entries of the settings that cannot be used', async () => {
    problems = ['knowledgeStore.a is not a setting.', 'knowledgeStore.b must be true.'];
    const [told] = (await ingest()).skipped;
    const reason =
      'knowledgeStore.a is not a setting; knowledgeStore.b must be true; the defaults apply';
    expect(told).toEqual({ sourceFile: '.knowledge/settings.json', reason, isRead: true });
  });

  it('reports patterns that can match nothing, and reads what the others match', async () => {
    includePatterns = ['src/**/*.ts', '**/*.md'];
    excludePatterns = ['docs/private', 'docs/private/', 'private/**'];
    const report = await ingest();
    const reason = expect.stringContaining('matches nothing');
    const skipped = ['src/**/*.ts', 'docs/private'].map((sourceFile) => ({ sourceFile, reason }));
    expect(report).toMatchObject({ indexed: 4, skipped });
    expect(world.ports.logger.messages('info')).toEqual([
      'Some sources were left out or could not be read.',
    ]);
  });

  it('lists what is left out: for each reason the first path, how many more, and how to include them', async () => {
    files.leftOut = [
      ...['target/', 'docs/build/', 'web/dist/', 'api/out/', 'build/', 'x/dist/'].map((path) => ({
        path,
        why: 'it is a build folder',
      })),
      { path: 'vendor/lib/', why: 'it is a separate repository' },
      { path: 'TODO.md', why: 'git ignores it' },
    ];
    const { skipped } = await ingest();
    expect(skipped.map(({ sourceFile, reason }) => `${sourceFile}: ${reason}`)).toEqual([
      'TODO.md: git ignores it; "ignore": false includes it',
      'api/out/: it is a build folder, like 5 more (build/, docs/build/, target/); "api/out/" in includePatterns or "ignore": false includes it',
      'vendor/lib/: it is a separate repository; "vendor/lib/" in includePatterns or "ignore": false includes it',
    ]);
    expect(await ingest('categories')).toMatchObject({ skipped: [] });
  });

  it('does not count a file without chunks in the index', async () => {
    files.set(DOC, '');
    expect(await ingest()).toMatchObject({ indexed: 3, skipped: [] });
  });
});

describe('a file whose chunks were pruned', () => {
  beforeEach(async () => {
    files.set(REFLECTION, 'reflected\n\nconsidered');
    await ingest();
  });

  it.each(['reflections', 'agentOutputs', 'categories', undefined] as const)(
    'stays away from an ingestion of %s while it is unchanged, and is not counted',
    async (group) => {
      await prune();
      expect(await ingest(group)).toMatchObject({ indexed: 0, skipped: [] });
      expect(await indexed()).toEqual([]);
    },
  );

  it('is restored on request', async () => {
    await prune();
    expect(await ingestion.ingest(project, RESTORE)).toMatchObject({ indexed: 4, skipped: [] });
    expect(await indexed()).toEqual([DOC, OUTPUT, REFLECTION, CATEGORY].toSorted());
  });

  it('is restored beside the chunks that it still has, which are not counted as new', async () => {
    const [kept] = await project.store.chunks.getChunks([`${REFLECTION}#1`]);
    await project.store.chunks.record([`${REFLECTION}#1`], new Date('2030-01-02'));
    await prune();
    expect(await ingest('reflections')).toMatchObject({ indexed: 1 });
    expect(await contentOf(REFLECTION)).toBe(undefined);

    await ingestion.ingest(project, RESTORE);

    expect(await contentOf(REFLECTION)).toBe('reflected');
    expect(await project.store.chunks.getChunks([`${REFLECTION}#1`])).toEqual([kept]);
  });

  it('is parsed again only if a chunk is missing', async () => {
    await ingestion.ingest(project, RESTORE);
    expect(parsed).toHaveLength(2);
    await prune();
    await ingestion.ingest(project, RESTORE);
    expect(parsed).toHaveLength(4);
  });

  const RESTORE = { unchanged: 'restore' } as const;
  const prune = () => pruneAll(project.store);
});

describe('a file that may not be read', () => {
  it('is skipped with the reason, and counted if it keeps its chunks', async () => {
    const skipped = [{ sourceFile: DOC, reason: 'it may not be read' }];
    files.refuse('docs/new.md', 'it may not be read');
    files.set('docs/new.md', 'new');
    await ingest();
    files.refuse(DOC, 'it may not be read');
    const both = [...skipped, { sourceFile: 'docs/new.md', reason: 'it may not be read' }];
    expect(await ingest()).toEqual({ indexed: 4, skipped: both, removed: 0 });
    expect(await contentOf(DOC)).toBe('documented');
    expect(world.ports.logger.messages('info')).toContain(
      'Some sources were left out or could not be read.',
    );
  });

  it('is also skipped if it was readable until the write lock was taken', async () => {
    let reads = 0;
    files.onRead = (path) => {
      if (path !== DOC) return;
      reads += 1;
      files.set(DOC, `text ${reads}`);
      if (reads === 2) files.refuse(DOC, 'it may not be read');
    };
    files.isStill = (_, path) => path !== DOC;
    const { skipped } = await ingest();
    expect(skipped).toEqual([{ sourceFile: DOC, reason: 'it may not be read' }]);
  });
});

describe('a file with two names', () => {
  const NAMES = ['docs/one.md', 'docs/two.md'];

  it('is indexed under the first of them', async () => {
    files.set('docs/one.md', 'the same');
    files.link('docs/two.md', 'docs/one.md');
    await ingest();
    expect((await indexed()).filter((path) => NAMES.includes(path))).toEqual(['docs/one.md']);
  });

  it('and was two files loses the chunks of the second name', async () => {
    for (const path of NAMES) files.set(path, 'before');
    await ingest();
    files.link('docs/two.md', 'docs/one.md');
    expect(await ingest()).toMatchObject({ removed: 1 });
    expect((await indexed()).filter((path) => NAMES.includes(path))).toEqual(['docs/one.md']);
  });

  it('is distinguished from a file that gets its inode while both are replaced', async () => {
    for (const path of NAMES) files.set(path, 'before');
    await ingest();
    files.set('docs/one.md', 'after');
    files.onRead = (path) => {
      if (path !== 'docs/two.md') return;
      // What the system does where the first file was read and is replaced, and a new second file gets its number.
      files.link('docs/two.md', 'docs/one.md');
      files.set('docs/one.md', 'later');
    };
    files.set('docs/two.md', 'after');
    await ingest();
    expect((await indexed()).filter((path) => NAMES.includes(path))).toEqual(NAMES);
  });
});

describe('a bug', () => {
  it.each(['reading', 'chunking'])(
    'while %s is thrown and not reported as a skipped file',
    async (step) => {
      const bug = new TypeError('a bug');
      if (step === 'reading') files.onRead = () => Promise.reject(bug);
      else
        parsed.push = () => {
          throw bug;
        };
      await expect(ingest('categories')).rejects.toBe(bug);
    },
  );
});

describe('a source that is gone', () => {
  it('loses its chunks, also if the patterns no longer select it', async () => {
    files.set('docs/more.md', 'more');
    await ingest();
    files.delete('docs/more.md');
    expect(await ingest()).toMatchObject({ indexed: 4, skipped: [] });
    expect(await indexed()).not.toContain('docs/more.md');
    files.listMarkdown = async () => ({ paths: [], unreadable: [] });
    await ingest();
    expect(await indexed()).not.toContain(DOC);
  });

  it('keeps its chunks if its file was written and indexed after the files were listed', async () => {
    files.onListed = async () => {
      files.onListed = () => {};
      files.set('.knowledge/features/f-2/reflection.md', 'late');
      await ingest('reflections');
    };
    await ingest();
    expect(await contentOf('.knowledge/features/f-2/reflection.md')).toBe('late');
  });

  it.each([DOC, CATEGORY, REFLECTION, OUTPUT])(
    'keeps its chunks if its file is back by the time of the write lock: %s',
    async (path) => {
      await ingest();
      const text = files.text(path) ?? '';
      files.delete(path);
      beforeWriting(() => files.set(path, text));
      const report = await ingest();
      expect(report).toMatchObject({ indexed: 4, skipped: [] });
      expect(await indexed()).toContain(path);
    },
  );
});

describe('very many sources that are gone', () => {
  const PATHS = Array.from({ length: 300 }, (_, i) => `docs/many/${i}.md`);

  it('are removed in a few transactions, between which the event loop runs', async () => {
    for (const path of PATHS) files.set(path, 'x');
    await ingest();
    for (const path of PATHS) files.delete(path);
    const sizes: number[] = [];
    const { chunks } = project.store;
    const counted: typeof chunks = Object.assign(Object.create(chunks), {
      replaceSources: (changes: Parameters<typeof chunks.replaceSources>[0]) => {
        sizes.push(changes.length);
        return chunks.replaceSources(changes);
      },
      indexedSources: () => chunks.indexedSources(),
    });
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const store = { ...project.store, chunks: counted };
    expect(await ingestion.ingest({ ...project, store })).toMatchObject({ removed: 300 });
    clearImmediate(timer);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32);
    expect(sizes.length).toBeLessThan(20);
    expect(turns).toBeGreaterThan(200);
    expect(await indexed()).toHaveLength(4);
  });
});

it('The log names the first of very many sources that are left out, and how many there are', async () => {
  const paths = Array.from({ length: 500 }, (_, i) => `docs/${i}.md`);
  files.listMarkdown = async () => ({ paths, unreadable: [] });
  files.readText = async () => ({ skipped: 'it is a test' });
  await ingest('documentation');
  const [entry] = world.ports.logger.entries.filter(({ level }) => level === 'info');
  expect(entry?.fields).toMatchObject({ count: 500 });
  expect(JSON.stringify(entry).length).toBeLessThan(3_000);
});

describe('a source that was moved', () => {
  const MOVED = 'guides/guide.md';

  beforeEach(async () => {
    await ingest();
    await project.store.chunks.record([`${DOC}#0`], new Date('2030-01-02'));
    files.delete(DOC);
    files.set(MOVED, 'documented');
  });

  it('keeps its chunks, under ids of their own', async () => {
    const [before] = await project.store.chunks.getChunks([`${DOC}#0`]);
    expect(await ingest()).toMatchObject({ indexed: 4 });
    const [moved] = await project.store.chunks.getChunks([`${MOVED}#0`]);
    expect(moved?.createdAt).toBe(before?.createdAt);
    expect(await countedIds()).toContain(`${MOVED}#0`);
    expect(await indexed()).not.toContain(DOC);
  });

  it.each([
    ['the first is back before the write', () => beforeWriting(() => files.set(DOC, 'documented'))],
    ['its text is another', () => files.set(MOVED, 'documented again')],
    ['the folder of the first cannot be read', () => (files.unreadable = ['docs'])],
  ])('is new where %s', async (_, change) => {
    change();
    await ingest();
    expect(await indexed()).toContain(MOVED);
    expect(await countedIds()).not.toContain(`${MOVED}#0`);
    if (files.text(MOVED) === 'documented') expect(await indexed()).toContain(DOC);
  });

  it('keeps the sections of a reflection whose feature has another name', async () => {
    files.set(REFLECTION, 'before\n\n## Risk\nreflected');
    await ingest();
    await project.store.chunks.record([`${REFLECTION}#1`], new Date('2030-01-02'));
    files.delete(REFLECTION);
    files.delete(OUTPUT);
    files.set('.knowledge/features/f-2/reflection.md', 'before\n\n## Risk\nreflected');
    await ingest('reflections');
    const moved = '.knowledge/features/f-2/reflection.md';
    expect(await countedIds()).toContain(`${moved}#1`);
    const [first] = await project.store.chunks.getChunks([`${moved}#0`]);
    expect(first?.heading).toBe('Reflection: f-2');
  });

  /** Those that were retrieved. */
  async function countedIds(): Promise<readonly string[]> {
    const unused = await unretrieved(project.store);
    const ids = (await indexed()).flatMap((file) => [`${file}#0`, `${file}#1`]);
    const chunks = await project.store.chunks.getChunks(ids);
    return chunks.flatMap(({ id }) => (unused.includes(id) ? [] : id));
  }
});

describe('a folder that cannot be read', () => {
  it('leaves the chunks of its sources alone, which are reported', async () => {
    files.set('docs-old/guide.md', 'old');
    await ingest();
    files.unreadable = ['docs'];
    files.delete('docs-old/guide.md');
    const skipped = [
      { sourceFile: 'docs/', reason: 'this folder and everything below it cannot be read' },
    ];
    expect(await ingest()).toEqual({ indexed: 4, removed: 1, skipped });
    expect(await contentOf(DOC)).toBe('documented');
    expect(world.ports.logger.messages('warn')).toEqual([
      'Some sources were left out or could not be read.',
    ]);
  });

  it('is reported as ./ if it is the project itself', async () => {
    await ingest();
    files.unreadable = [''];
    const reason = 'this folder and everything below it cannot be read';
    const skipped = [{ sourceFile: './', reason }];
    expect(await ingest()).toEqual({ indexed: 4, removed: 0, skipped });
  });

  it('is reported with its depth if that is the reason', async () => {
    await ingest();
    const folder = Array(65).fill('d').join('/');
    files.unreadable = [folder];
    const skipped = [{ sourceFile: `${folder}/`, reason: 'it lies more than 64 folders deep' }];
    expect(await ingest()).toEqual({ indexed: 4, removed: 0, skipped });
  });

  it('is not warned of again by an ingestion of some paths', async () => {
    files.unreadable = ['docs'];
    expect(await ingestion.ingest(project, { within: [DOC] })).toMatchObject({ skipped: [] });
    expect(world.ports.logger.messages('warn')).toEqual([]);
  });
});

/** Lets something happen between the reading of a file and the write lock. */
function beforeWriting(happens: () => void): void {
  const { chunks } = project.store;
  const replaceSources = chunks.replaceSources.bind(chunks);
  chunks.replaceSources = (changes) => {
    chunks.replaceSources = replaceSources;
    happens();
    return replaceSources(changes);
  };
}

async function indexed(): Promise<readonly string[]> {
  const sources = await project.store.chunks.indexedSources();
  return sources
    .filter(({ chunkCount }) => chunkCount > 0)
    .map(({ sourceFile }) => sourceFile)
    .toSorted();
}

async function contentOf(sourceFile: string): Promise<string | undefined> {
  const [chunk] = await project.store.chunks.getChunks([`${sourceFile}#0`]);
  return chunk?.content;
}

it('ends before the next source once it is stopped, and keeps indexed sources', async () => {
  for (let i = 0; i < 100; i += 1) files.set(`.knowledge/features/f-${i}/reflection.md`, 'text');
  const ended = expect(ingest()).rejects.toMatchObject({ code: 'store_unavailable' });
  setImmediate(() => ingestion.stop());
  await ended;
  expect((await indexed()).length).toBeLessThan(50);
});
