import { describe, expect, it } from 'vitest';
import {
  findState,
  noteVersion,
  readNoteRecord,
  saidText,
} from '../../../src/domain/saved/note-record.js';

const FILE = {
  name: 'pool',
  hash: '0123456789abcdef0123456789abcdef',
  frontmatter: undefined as unknown,
  body: '# Pool size\n\nEight connections.\n\n',
  modifiedAt: new Date('2026-05-10T12:00:00.000Z'),
};

describe('the record of a note', () => {
  it('has the title, the text without its end, a short version, and the time of its file', () => {
    expect(readNoteRecord(FILE)).toStrictEqual({
      title: 'Pool size',
      content: 'Eight connections.',
      version: '0123456789abcdef',
      updated: '2026-05-10T12:00:00.000Z',
    });
  });

  it('has what its frontmatter says', () => {
    const frontmatter = {
      ...{
        tags: ['db'],
        importance: 0.5,
        cites: ['a.ts'],
        supersedes: 'old',
        expires: '2027-01-31',
      },
      created: '2026-01-02',
      updated: '2026-03-04T05:06:07Z',
      author: ' Ann ',
      session: 's1',
    };
    expect(readNoteRecord({ ...FILE, frontmatter })).toEqual({
      ...frontmatter,
      title: 'Pool size',
      content: 'Eight connections.',
      version: '0123456789abcdef',
      author: 'Ann',
    });
  });

  it('takes its title from the frontmatter, else from the name, if the text has none', () => {
    const body = 'Eight connections.';
    expect(readNoteRecord({ ...FILE, body }).title).toBe('pool');
    const titled = readNoteRecord({ ...FILE, body, frontmatter: { title: 'Connections' } });
    expect(titled.title).toBe('Connections');
  });

  it('ignores fields of a wrong type', () => {
    const wrong = { updated: 'never', created: 7, expires: 'soon', author: ' ', session: [] };
    expect(readNoteRecord({ ...FILE, frontmatter: wrong })).toEqual(readNoteRecord(FILE));
  });

  it('has as many characters of the hash as a version needs', () => {
    expect(noteVersion(FILE.hash)).toHaveLength(16);
  });
});

it('text of a session is shown with its day and agent, other sources with neither', () => {
  expect(saidText({ agent: 'claude', said: '2026-11-01T10:00:00Z' })).toBe(
    '2026-11-01, with claude',
  );
  expect(saidText({ agent: 'claude' })).toBe('with claude');
  expect(saidText({ said: '2026-11-01T10:00:00Z' })).toBeUndefined();
});

it('the state of a session has the time of the exchange, the state of a note has none', () => {
  const chunk = { sourceFile: 'a.md', createdAt: '2026-11-01T10:00:00Z' };
  const note = { version: 'v', updated: 'u' };
  expect(findState(chunk, new Map([['a.md', { agent: 'claude' }]]))).toEqual({
    agent: 'claude',
    said: '2026-11-01T10:00:00Z',
  });
  expect(findState(chunk, new Map([['a.md', note]]))).toBe(note);
  expect(findState(chunk, new Map())).toBeUndefined();
});
