import { describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { noCiting } from '../../../src/app/citations/citation-finder.js';
import { SourceFormats } from '../../../src/app/ingestion/source-formats.js';
import { DEFAULT_IMPORTANCE, FRONTMATTER_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import { SAVED_TYPES } from '../../../src/domain/project-layout.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';

const SETTINGS = { ...DEFAULT_SETTINGS, defaultImportance: 0.9 };

const formats = new SourceFormats({
  appDirs: appDirectories('.knowledge'),
  files: new InMemoryProjectFiles(),
  frontmatter: { parse: parseFrontmatter },
  citing: noCiting,
});
const documents = formats.document(SETTINGS);

const tagsOf = (text: string) =>
  documents.cut(text, 'docs/a.md').chunks.map(({ tags = [] }) => tags);
const problemsOf = (text: string) => documents.problems(text, 'docs/a.md');

const CONFLICT = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n';

describe('the chunks of a document', () => {
  it.each([
    ['Text.', []],
    ['---\ntags: [a]\n---\nText.', ['a']],
    ['---\nstatus: Superseded by ADR-2\n---\nText.', ['superseded']],
    ['---\n{ "status": "rejected" }\n---\nText.', ['rejected']],
    ['---\ntags: [a, deprecated]\nstatus: deprecated\n---\nText.', ['a', 'deprecated']],
    ['# A decision\nStatus: rejected\n', ['rejected']],
    ['---\nstatus: deprecated\n---\n# A decision\nStatus: rejected\n', ['deprecated']],
    ['---\nstatus: accepted\n---\n# A decision\nStatus: rejected\n', ['rejected']],
    [CONFLICT, ['merge-conflict']],
    [`---\nstatus: rejected\n---\n${CONFLICT}`, ['merge-conflict', 'rejected']],
  ])('of %j have the tags %j', (text, tags) => {
    expect(tagsOf(text)).toEqual([tags]);
  });
});

describe('unused parts', () => {
  const CONFLICTS = expect.stringContaining('merge conflict markers');
  const NOT_YAML = expect.stringContaining('not valid YAML');
  const TOO_LONG = expect.stringContaining('is longer than');
  const frontmatter = (length: number) => `tags: [a]\ntext: ${'x'.repeat(length - 17)}\n`;
  it.each([
    ['no frontmatter', 'Text.', []],
    ['frontmatter', '---\ntags: [a]\n---\nText.', []],
    ['frontmatter that needs a parser', '---\ntags: {a: [b]}\n---\nText.', []],
    ['frontmatter that is not YAML', '---\ntags: [a, "b]\n---\nText.', [NOT_YAML]],
    ['other frontmatter that is not YAML', '---\nother: [a, "b]\n---\nText.', []],
    ['merge conflicts', CONFLICT, [CONFLICTS]],
    ['merge conflicts in frontmatter', `---\ntags: [a, "b]\n${CONFLICT}---\nText.`, [CONFLICTS]],
    [
      'frontmatter of the maximum length',
      `---\n${frontmatter(FRONTMATTER_MAX_CHARACTERS)}---\n`,
      [],
    ],
    ['longer frontmatter', `---\n${frontmatter(FRONTMATTER_MAX_CHARACTERS + 1)}---\n`, [TOO_LONG]],
  ])('are reported: %s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

describe('a saved file', () => {
  it.each(SAVED_TYPES)('of the type %s has its own default importance', (type) => {
    const format = formats.saved(SETTINGS, type);
    const [chunk] = format.cut('Text.', 'a.md').chunks;
    expect(format.sourceType).toBe(type);
    expect(chunk?.importance).toBe(type === 'file' ? 0.9 : DEFAULT_IMPORTANCE);
  });

  it.each(SAVED_TYPES)(
    'of the type %s keeps its title in its first chunk unless it is a document',
    (type) => {
      const [chunk] = formats
        .saved(SETTINGS, type)
        .cut('# Title\n\n## One\nText.\n', 'a.md').chunks;
      expect(chunk?.content).toBe(type === 'file' ? 'Text.' : '# Title\n\nText.');
    },
  );

  it.each(SAVED_TYPES)('of the type %s supersedes and expires only if it is a note', (type) => {
    const format = formats.saved(SETTINGS, type);
    const text = '---\nsupersedes: old\nexpires: 2026-12-31\n---\n# New\n\nText.\n';
    const file = { project: '/project', sourceFile: '.knowledge/notes/new.md' };
    const isNote = type === 'manual';
    expect(format.supersedes?.(text, file)).toBe(isNote ? '.knowledge/notes/old.md' : undefined);
    expect(format.expires?.(text, file.sourceFile)).toBe(isNote ? '2026-12-31' : undefined);
  });
});

it('the comments of a session are text, except for the time of an exchange', () => {
  const text = '## Why?\n<!-- 2026-11-21T18:26:48.360Z -->\n\nBecause <!-- of this -->.\n';
  const session = formats.session(SETTINGS);
  expect(session.sourceType).toBe('agent_output');
  expect(session.cut(text, '.knowledge/sessions/a.md').chunks).toEqual([
    expect.objectContaining({
      heading: 'Why?',
      content: 'Because <!-- of this -->.',
      createdAt: '2026-11-21T18:26:48.360Z',
    }),
  ]);
});

it('a chunk of a reflection without a heading is named after its feature', () => {
  const reflection = formats.reflection(SETTINGS);
  const { chunks } = reflection.cut('Text.', '.knowledge/features/login/reflection.md');
  expect(reflection.sourceType).toBe('reflection');
  expect(chunks.map(({ heading }) => heading)).toEqual(['Reflection: login']);
});
