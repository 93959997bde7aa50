import { describe, expect, it } from 'vitest';
import {
  bigramPhrase,
  bigramText,
  containsUnspaced,
  withoutUnspaced,
} from '../../../src/domain/bigrams.js';
import { findSideWords } from '../../../src/domain/query/side-words.js';

describe('bigramText', () => {
  it.each([
    ['the plain words', 'the plain words'],
    ['用户认证', '用户 户认 认证 证'],
    ['犬', '犬'],
    ['トークンの期限', 'トー ーク クン ンの の期 期限 限'],
    ['사용자 인증', '사용 용자 자 인증 증'],
    ['使用React组件', '使用 用 React 组件 件'],
    ['認証、処理', '認証 証 、 処理 理'],
    ['人々は', '人々 々は は'],
    ['𠮷野家', '𠮷野 野家 家'],
    ['กันดี', 'กั ัน นด ดี ี'],
  ])('cuts %j into %j', (text, expected) => {
    expect(tidy(bigramText(text))).toBe(expected);
  });

  it.each([
    ['half-width kana', 'ｶﾞｽ', 'ガス ス'],
    ['full-width letters', 'ＡＰＩ１', 'API1'],
    ['letters in two pieces', 'か\u3099す'.normalize('NFD'), 'がす す'],
    ['decomposed Hangul', '인증'.normalize('NFD'), '인증 증'],
    ['zero-width signs', '认\u200b证', '认证 证'],
    ['a variant of a letter', '葛\u{e0100}城', '葛城 城'],
  ])('folds %s', (_, text, expected) => {
    expect(tidy(bigramText(text))).toBe(expected);
  });
});

describe('bigramPhrase', () => {
  it('is made of the first 64 letters of a long word', () => {
    const tokens = (letters: number) =>
      bigramPhrase('版2'.repeat(letters / 2)).text.split(' ').length;
    expect(tokens(2000)).toBe(tokens(64));
    expect(bigramPhrase('版'.repeat(2000))).toEqual(bigramPhrase('版'.repeat(64)));
  });

  it.each([
    ['认证', '认证', false],
    ['用户认证', '用户 户认 认证', false],
    ['犬', '犬', true],
    ['React組', 'React 組', true],
    ['使用React组件', '使用 用 React 组件', false],
    ['React', 'React', false],
  ])('asks for %j as %j, going on: %s', (word, text, prefix) => {
    const phrase = bigramPhrase(word);
    expect({ ...phrase, text: tidy(phrase.text) }).toEqual({ text, prefix });
  });
});

describe('containsUnspaced', () => {
  it.each(['认', 'の', 'ー', 'ｶ', '가', '々', 'ไ', 'ວ', 'ខ', 'မ'])('is true of %s', (letter) => {
    expect(containsUnspaced(`a ${letter} b`)).toBe(true);
  });

  it.each(['plain', 'é', 'Ωё', '。、「」・', '１', '😀', 'हिन्दी', 'x\u0303'])(
    'is false of %s',
    (text) => {
      expect(containsUnspaced(text)).toBe(false);
    },
  );
});

it('words beside runs of such letters stay apart without them', () => {
  expect(withoutUnspaced('使用React组件and')).toBe(' React and');
  expect(withoutUnspaced('a使用b')).toBe('a b');
});

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe('the side words of a chunk', () => {
  it.each([
    ['日本', 'Über', '日本 本', 'Über', ''],
    [undefined, 'Über ﬁle ｆｕｌｌ', '', 'Über file full', 'file full'],
    ['a', '使用React', 'a', '使用 用 React', 'React'],
  ])('of %j and %j', (heading, content, ...expected) => {
    const {
      heading: side = '',
      content: text = '',
      extra,
    } = findSideWords({ heading, content }) ?? {};
    expect([tidy(side), tidy(text), extra]).toEqual(expected);
  });

  it.each(['plain', 'Über'])(
    'are none where all words are in the index of its text: %s',
    (content) => {
      expect(findSideWords({ heading: 'a', content })).toBeUndefined();
    },
  );
});
