import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { fillSideWords } from '../../src/adapters/sqlite/chunks/side-words.js';
import { createInMemory } from '../../src/adapters/sqlite/database/own-schema.js';
import { selectMatches } from '../../src/adapters/sqlite/keyword/match-list.js';
import type { Expression } from '../../src/domain/query/expression.js';
import { allWords, anyWordOrPart, readQuery, splitWords } from '../../src/domain/query/query.js';
import { runs } from '../support/seed.js';

const db = createInMemory();
afterAll(() => db.close());

const latin = fc.constantFrom(...'abcxyz019', 'é', 'ế', 'ữ', 'ñ', 'å', 'й', 'ё', 'ό');
const unspaced = fc.constantFrom(...'认证数据', 'が', 'ギ', 'ー', '가', '각', 'ก', 'น้ำ', 'ခ', 'ម');
const word = fc
  .array(fc.oneof({ weight: 3, arbitrary: latin }, unspaced), { minLength: 1, maxLength: 8 })
  .map((letters) => letters.join(''));
const text = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((words) => words.join(' '))
  .filter((words) => /[^\p{M}]/u.test(words));

const FORMS: readonly ((text: string) => string)[] = [
  (written) => written.normalize('NFC'),
  (written) => written.normalize('NFD'),
  (written) =>
    written.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (written) => [...written].join('\u200b'),
  (written) => written.replace(/(?<=\p{L})(?=\p{L})/gu, '\u00ad'),
];

it('texts in NFC, in NFD, of full width and with invisible signs find each other', () => {
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...FORMS),
      fc.constantFrom(...FORMS),
      (written, one, other) => {
        store(one(written));
        expect(finds(other(written))).toBe(true);
      },
    ),
    runs(1500),
  );
});

it.each([
  ['ρυθμισεις', 'Ρυθμίσεις'],
  ['ΠΡΟΫΠΟΘΕΣΗ', 'προϋπόθεση'],
  ['αυθαιρετος', 'αὐθαίρετος'],
  ['елка', 'ёлка'],
  ['Київ', 'киів'],
  ['اعدادات', 'إعدادات'],
  ['القران', 'ٱلْقُرْآنـــ'],
  ['مدرسه', 'مدرسة'],
  ['علي', 'على'],
  ['كتابي', 'کتابی'],
  ['שלום', 'שָׁלוֹם'],
  ['IŞIK', 'ışık'],
  ['strasse', 'ﬆrasse'],
  ['STRASSE', 'Straße'],
  ['zazolc', 'Zażółć'],
  ['LODZ', 'łódź'],
  ['đuong', 'DUONG'],
  ['SMORREBROD', 'smørrebrød'],
  ['coeur', 'Cœur'],
  ['Aegir', 'ÆGIR'],
  ['कलम', 'क़लम'],
  ['thingvellir', 'Þingvellir'],
  ['Seydisfjordur', 'Seyðisfjörður'],
  ['ქართული', 'ᲥᲐᲠᲗᲣᲚᲘ'],
  ['𞤣𞤢', '𞤁𞤀'],
  ['هندی', 'ھندی'],
  ['Fanø', 'FANǾ'],
  ['co\u00adoperate', 'cooperate'],
  ['zero\u200bwidth', 'zerowidth'],
  ['Tê\u0301st', 'test'],
  ['ＡＰＩ', 'api'],
])('%j and %j find each other, also among other words and in an expression', (one, other) => {
  for (const [text, query] of [
    [one, other],
    [other, one],
  ] as const) {
    store(`first ${text} last`);
    expect(finds(query)).toBe(true);
    expect(finds(`first ${query}`)).toBe(true);
    expect(finds(`second ${query}`)).toBe(false);
    const { expression } = readQuery(`"first ${query}" AND last`) as Structured;
    expect(isFound(expression)).toBe(true);
  }
});

it.each([
  ['16GB', '16 GB'],
  ['utf8', 'UTF-8'],
  ['10000', '10,000'],
  ['1500000', '1.500.000'],
  ['email', 'e-mail'],
  ['Müller', 'Mueller'],
  ['Größe', 'GROESSE'],
  ['Übung', 'Uebung'],
  ['on-line', 'online'],
  ['set-up', 'setup'],
  ['wifi', 'Wi-Fi'],
  ['1,000,000', '1000000'],
])('any word of a query finds %j and %j', (one, other) => {
  store(`first ${one} last`);
  expect(isFound(anyWordOrPart(splitWords(other)) as Expression)).toBe(true);
  store(`first ${other} last`);
  expect(isFound(anyWordOrPart(splitWords(one)) as Expression)).toBe(true);
});

interface Structured {
  readonly expression: Expression;
}

function store(content: string): void {
  db.exec('DELETE FROM chunks');
  db.prepare(
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
     VALUES ('a#0', 'file', 'a', '/', 0, ?, '', '')`,
  ).run(content);
  fillSideWords(db);
}

function finds(query: string): boolean {
  const expression = allWords(splitWords(query));
  if (expression === undefined) throw new Error(`"${query}" asks for nothing.`);
  return isFound(expression);
}

function isFound(expression: Expression): boolean {
  const list = selectMatches(db, expression, () => ({ sql: '', parameters: [] }));
  return db.prepare(list.sql).all(...list.parameters).length === 1;
}
