import { describe, expect, it } from 'vitest';
import {
  DOCUMENT_PATH_MAX_CHARACTERS,
  DOCUMENT_PATH_MAX_NAMES,
  NOTE_ID_MAX_CHARACTERS,
  PAGE_URL_MAX_CHARACTERS,
} from '../../../src/domain/limits.js';
import {
  documentName,
  isDocumentPath,
  isNoteId,
  isPageUrl,
  noteIdFor,
  pageAddress,
  pageName,
} from '../../../src/domain/saved/saved-names.js';
import {
  digestName,
  EPIC_ID_MAX_CHARACTERS,
  isEpicId,
} from '../../../src/domain/saved/saved-text.js';

const LONGEST = 'a'.repeat(NOTE_ID_MAX_CHARACTERS);

describe('the id of a note', () => {
  it.each(['a', '7', 'a-b_c', '-a', '_a', 'A', 'ä', '日本語', 'Использовать', 'हिन्दी'])(
    'may be %s',
    (id) => {
      expect(isNoteId(id)).toBe(true);
    },
  );

  it('has a bounded length', () => {
    expect(isNoteId(LONGEST)).toBe(true);
    expect(isNoteId(`${LONGEST}a`)).toBe(false);
  });

  it.each(['', 'a b', 'a/b', 'a.md', 'a\n', '..', 'con', 'NUL', 'aux', 'Com1', 'lpt9', 7, null])(
    'is not %j',
    (id) => {
      expect(isNoteId(id)).toBe(false);
    },
  );

  it.each([
    ['Why we lock', 'why-we-lock'],
    ['  C++: 2nd try!  ', 'c-plus-plus-2nd-try'],
    ['C#', 'c-sharp'],
    ['F#', 'f-sharp'],
    ['C', 'c'],
    ['C# and #tags', 'c-sharp-and-tags'],
    ['a <= b', 'a-at-most-b'],
    ['a >= b', 'a-at-least-b'],
    ['Größe & Länge', 'größe-länge'],
    ['Cafe\u0301', 'café'],
    ['ﬁne ①', 'fine-1'],
    ['日本語', '日本語'],
    ['हिन्दी में', 'हिन्दी-में'],
    ['a + b', 'a-b'],
    ['Node 22+', 'node-22-plus'],
    ['Использовать Redis', 'использовать-redis'],
    ['Con', 'con-note'],
    ['LPT1', 'lpt1-note'],
    ['', 'note-811c9dc5'],
    ['!?*', 'note-0c627db9'],
    ['Store at -5 °C or +40 °C', 'store-at-minus-5-c-or-plus-40-c'],
    ['2026-11-30 a+5', '2026-11-30-a-5'],
    ['a = b ≥ c != d', 'a-b-at-least-c-unequal-d'],
    ['a < b > c == d', 'a-less-b-more-c-equal-d'],
    ['\u0301\u0301x b\u0323', 'x-b\u0323'.normalize('NFC')],
  ])('is made of the letters of "%s"', (title, id) => {
    expect(noteIdFor(title, [])).toBe(id);
    expect(isNoteId(id)).toBe(true);
  });

  it('is cut like the title, without the space after its last word', () => {
    expect(noteIdFor(`${LONGEST}aa`, [])).toBe(LONGEST);
    expect(noteIdFor(`${LONGEST} b`, [])).toBe(LONGEST);
    expect(noteIdFor(`b ${LONGEST}`, [])).toBe(`b-${LONGEST.slice(2)}`);
  });

  it('is cut before a letter of which only half fits, and before the space that then ends it', () => {
    const most = LONGEST.slice(2);
    expect(noteIdFor(`${most} 𠮷`, [])).toBe(most);
    expect(noteIdFor(`${most}a𠮷`, [])).toBe(`${most}a`);
  });

  it('has the first number that is free, in any letter case', () => {
    expect(noteIdFor('Locks', ['other'])).toBe('locks');
    expect(noteIdFor('Locks', ['LOCKS'])).toBe('locks-2');
    expect(noteIdFor('Locks', ['locks', 'Locks-2', 'locks-4'])).toBe('locks-3');
    expect(noteIdFor(LONGEST, [LONGEST])).toBe(`${LONGEST.slice(2)}-2`);
    expect(noteIdFor(LONGEST.slice(2), [LONGEST.slice(2)])).toBe(`${LONGEST.slice(2)}-2`);
    const cutAtHyphen = `${LONGEST.slice(3)}-ab`;
    expect(noteIdFor(cutAtHyphen, [cutAtHyphen])).toBe(`${LONGEST.slice(3)}-2`);
  });
});

describe('the address of a page', () => {
  it.each(['http://a.example', 'https://a.example/b?c=d#e'])('may be %s', (url) => {
    expect(isPageUrl(url)).toBe(true);
  });

  it('has a bounded length', () => {
    const longest = 'https://a/'.padEnd(PAGE_URL_MAX_CHARACTERS, 'b');
    expect(isPageUrl(longest)).toBe(true);
    expect(isPageUrl(`${longest}b`)).toBe(false);
  });

  it.each([
    ...['', 'a.example', '/a', 'ftp://a.example', 'file:///a', 'javascript:1', 'xhttp://a'],
    ...['https+a://b', 'https://user@a.example', 'https://:password@a.example'],
    ...[7, undefined, ['https://a.example']],
  ])('is not %j', (url) => {
    expect(isPageUrl(url)).toBe(false);
  });

  it('is normalized, without the place on the page', () => {
    expect(pageAddress('HTTPS://A.example:443/b/../c?d#e')).toBe('https://a.example/c?d');
  });

  it.each([
    ['https://a.example/b/C.html?d=1', 'a-example-b-c-html-d-1'],
    ['https://a.example/', 'a-example'],
    ['http://localhost:8080/a//b', 'localhost-8080-a-b'],
    ['http://[::1]/a', '1-a'],
    ['http://_/', 'page'],
    [`https://a/${'b'.repeat(100)}`, `a-${'b'.repeat(78)}`],
    [`https://a/${'b'.repeat(77)}/c`, `a-${'b'.repeat(77)}`],
  ])('%s leads to a file named %s', (address, name) => {
    expect(pageName(address)).toBe(name);
  });
});

describe('the name of a digest', () => {
  it.each([
    ['category', 'gotchas', 'category-gotchas'],
    ['epic', 'a-B_7', 'epic-a-B_7'],
    ['epic', 'a b/ü😀', 'epic-a~000020b~00002f~0000fc~01f600'],
  ] as const)('of the %s %s is %s', (kind, id, name) => {
    expect(digestName(kind, id)).toBe(name);
  });

  it('fits every file system', () => {
    expect(digestName('epic', '😀'.repeat(100))).toHaveLength(240);
  });
});

describe('the id of an epic', () => {
  it('is text of a bounded length', () => {
    expect(isEpicId('e')).toBe(true);
    expect(isEpicId('e'.repeat(EPIC_ID_MAX_CHARACTERS))).toBe(true);
    expect(isEpicId('e'.repeat(EPIC_ID_MAX_CHARACTERS + 1))).toBe(false);
    for (const other of ['', ' \n', 7, undefined, ['e']]) expect(isEpicId(other)).toBe(false);
  });
});

describe('the path of a document', () => {
  it.each(['a', 'docs/guide.md', 'a b/ü', 'docs/c:d.md', 'ü'.repeat(100)])('may be %s', (path) => {
    expect(isDocumentPath(path)).toBe(true);
  });

  it('has a bounded length', () => {
    const path = `${'a'.repeat(99)}/`.repeat(5).slice(0, DOCUMENT_PATH_MAX_CHARACTERS - 1);
    expect(isDocumentPath(`${path}b`)).toBe(true);
    expect(isDocumentPath(`${path}bc`)).toBe(false);
  });

  it('lies no deeper than files are read', () => {
    const folders = 'a/'.repeat(DOCUMENT_PATH_MAX_NAMES - 1);
    expect(isDocumentPath(`${folders}b.md`)).toBe(true);
    expect(isDocumentPath(`${folders}b/c.md`)).toBe(false);
  });

  it.each([
    ...['', '/a', 'a/', 'a//b', 'a/ /b', '.', './a', 'a/./b', '..', '../a', 'a/../b', '.a', 'a/.b'],
    ...['C:/a', 'c:a', 'a\\b', 'a\0b', 'a\nb', 'a\x1f', 'a\x7f', 'a\ud800', 'ü'.repeat(101)],
    ...['node_modules/a', 'knowledge.db', 'a/knowledge.db-notes.md'],
  ])('is not %j', (path) => {
    expect(isDocumentPath(path)).toBe(false);
  });

  it.each([
    ['guide', 'guide.md'],
    ['v1.2/guide', 'v1.2/guide.md'],
    ['guide.', 'guide..md'],
    ['guide.txt', 'guide.txt'],
  ])('%s is that of the file %s', (path, name) => {
    expect(documentName(path)).toBe(name);
  });
});
