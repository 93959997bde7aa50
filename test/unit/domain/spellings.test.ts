import { describe, expect, it } from 'vitest';
import { otherSpellings, twoWords } from '../../../src/domain/query/spellings.js';

describe('other spellings', () => {
  it.each([
    ['16GB', ['16 GB']],
    ['utf8', ['utf 8']],
    ['10000', ['10 000']],
    ['2500000', ['2 500 000']],
    ['email', ['e mail']],
    ['Ebooks', ['E books']],
    ['Müller', ['Mueller']],
    ['Größe', ['Groesse']],
    ['Mu\u0308ller', ['Mueller']],
    ['Straße', ['Strasse']],
    ['Mueller', ['Muller']],
    ['Koeln', ['Koln']],
    ['Schroedinger', ['Schrodinger']],
    ['Ærø', ['aeroe']],
    ['Uebung', ['Ubung']],
    ['Oesterreich', ['Osterreich']],
    ['wifi', ['wi fi']],
    ['Frontends', ['Front ends']],
    ['online', ['on line']],
    ['setup', ['set up']],
    ['utf16', ['utf 16']],
    ['a1000', ['a 1000']],
    ['999999999999999', ['999 999 999 999 999']],
    ['Boehm', ['Bohm']],
    ['Käse', ['Kaese']],
    ['œuvre', ['oeuvre']],
    ['Århus', ['aarhus']],
    ['aarhus', ['arhus']],
    ['Haakon', ['Hakon']],
    ['ueber', ['uber']],
    ['Oel', ['Ol']],
  ])('of %j are %j', (word, expected) => expect(otherSpellings(word)).toEqual(expected));

  it.each([
    'pool',
    '999',
    '1000a1',
    'boehm',
    '1234567890123456',
    'value',
    'values',
    'residues',
    'continued',
    'poet',
    'emailed',
    'does',
    'baa',
    'preemail',
    'onliner',
    'backender',
    'setuptools',
    'Joel',
    'aPoem',
    'error',
    'a1b',
    '',
  ])('of %j there are none', (word) => expect(otherSpellings(word)).toEqual([]));
});

it('a word of six letters or more may be written as two', () => {
  expect(twoWords('dataset')).toEqual(['da taset', 'dat aset', 'data set', 'datas et']);
  for (const word of ['table', 'sha256', 'x'.repeat(25), '数据库的数据库']) {
    expect(twoWords(word)).toEqual([]);
  }
});
