import { expect } from 'vitest';
import type { Expression, Term } from '../../../src/domain/query/expression.js';
import { document, draft } from '../../support/chunks.js';
import type { Subject, Suite } from '../harness/contract-suite.js';
import { anyWordOf, found, ingest, scoresOf } from '../harness/steps.js';

/** Words of Chinese, Japanese and Korean are found inside runs of letters. */
export function declareCjkSearching({ it, subject }: Suite): void {
  it.each([
    ['two letters', '认证', ['zh#0']],
    ['three words without spaces', '用户认证失败', ['zh#0']],
    ['letters of two runs', '失败请', []],
    ['letters in another order', '证认', []],
    ['one letter within a run', '户', ['zh#0']],
    ['one letter that ends a run', '败', ['zh#0']],
    ['two words', '认证 重试', ['zh#0']],
    ['two words, one of which is not there', '认证 数据库', []],
    ['kanji', '期限', ['ja#0']],
    ['katakana within a run', 'トークン', ['ja#0']],
    ['half-width katakana', 'ﾄｰｸﾝ', ['ja#0']],
    ['a stem without its ending', '인증', ['ko#0']],
    ['a whole word between spaces', '토큰을', ['ko#0']],
    ['an identifier beside a word', 'verifyToken 認証', ['mixed#2', 'mixed#0']],
    ['an identifier within a word', '使用React组件', ['mixed#1']],
    ['a word beside an identifier', '组件', ['mixed#1']],
    ['words of which a heading holds one', '見出し 認証', ['mixed#0']],
    ['a phrase, whose terms are whole words', '"认证"', []],
    ['an operator, whose terms are whole words', '认证 OR 期限', []],
  ])('finds %s', async (_, text, expected) => {
    await ingestAll(subject());
    expect(await found(subject(), text)).toEqual(expected);
  });

  it('ranks by how many of the letters are adjacent', async () => {
    await ingest(subject(), document('far', ['数据库连接池的大小']));
    await ingest(subject(), document('near', ['数据库迁移失败时回滚']));
    await ingest(subject(), document('other', ['用户认证']));
    expect(await foundByAny(subject(), '数据库的迁移失败')).toEqual(['near#0', 'far#0']);
  });

  it('also finds an identifier inside a word, by any of its words', async () => {
    await ingest(subject(), document('a', ['The React renderer.']));
    await ingest(subject(), document('b', ['组件']));
    await ingest(subject(), document('c', ['nothing']));
    expect((await foundByAny(subject(), '使用React组件')).toSorted()).toEqual(['a#0', 'b#0']);
  });

  it('returns only chunks that pass the filter', async () => {
    const { store } = subject();
    await ingest(subject(), document('a', ['用户认证'], 'reflection'));
    await ingest(subject(), document('b', ['用户认证']));
    const expression = anyWordOf('认证');
    const sourceTypes = ['reflection'] as const;
    const hits = await store.keywords.search({ expression, filter: { sourceTypes }, limit: 10 });
    expect(hits.map(({ chunk }) => chunk.id)).toEqual(['a#0']);
    const filter = { sourceTypes: 'all' as const, excludedSources: ['a'] };
    const others = await store.keywords.search({ expression, filter, limit: 10 });
    expect(others.map(({ chunk }) => chunk.id)).toEqual(['b#0']);
    expect(
      await store.keywords.search({ expression, filter: { sourceTypes: 'all' }, limit: 1 }),
    ).toHaveLength(1);
  });

  it('scores chunks as the search does', async () => {
    const { store } = subject();
    await ingestAll(subject());
    const expression = anyWordOf('期限 React 토큰을');
    const hits = await store.keywords.search({
      expression,
      filter: { sourceTypes: 'all' },
      limit: 10,
    });
    const ids = [...hits.map(({ chunk }) => chunk.id), 'zh#0', 'unknown#0'];
    const scores = await scoresOf(store, expression, ids);
    expect(scores).toEqual(new Map(hits.map(({ chunk, score }) => [chunk.id, score])));
    expect(scores.size).toBe(3);
  });

  it('gives a chunk that both readings find the better score', async () => {
    const plain = Array.from({ length: 9 }, (_, i) => `plain${i}`);
    await ingest(subject(), document('a', ['认证', '数据库', '缓存', ...plain]));
    const scoreOf = async (term: Omit<Term, 'prefix'>) => {
      const expression: Expression = { kind: 'terms', terms: [{ ...term, prefix: false }] };
      const either: Expression = { kind: 'or', operands: [expression] };
      return (await scoresOf(subject().store, either, ['a#0'])).get('a#0');
    };
    const word = await scoreOf({ text: '认证' });
    const inRun = await scoreOf({ text: '认证', inRun: 'only' });
    expect(word).toBeGreaterThan(inRun ?? Number.NaN);
    expect(await scoreOf({ text: '认证', inRun: 'too' })).toBe(word);
  });

  it('follows the texts of a source', async () => {
    await ingest(subject(), document('a', ['用户认证', '数据库']));
    await ingest(subject(), document('a', ['缓存', '用户认证']));
    expect(await found(subject(), '认证')).toEqual(['a#1']);
    expect(await found(subject(), '数据')).toEqual([]);
    expect(await found(subject(), '缓存')).toEqual(['a#0']);

    await subject().store.chunks.replaceSources([{ sourceFile: 'a', document: undefined }]);
    expect(await found(subject(), '认证')).toEqual([]);
  });
}

async function ingestAll(subject: Subject): Promise<void> {
  await ingest(subject, document('zh', ['用户认证失败。请稍后重试。']));
  await ingest(subject, document('ja', ['アクセストークンの期限切れに注意する。']));
  await ingest(subject, document('ko', ['사용자인증 토큰을 갱신한다.']));
  const headed = draft('verifyTokenは認証を確認する。', { heading: '見出し' });
  const called = draft('関数 verifyToken が認証を確認する。', { heading: '大見出し' });
  await ingest(subject, document('mixed', [called, '不要使用React组件库。', headed.content]));
}

async function foundByAny({ store }: Subject, text: string): Promise<readonly string[]> {
  const request = { filter: { sourceTypes: 'all' }, limit: 100 } as const;
  const hits = await store.keywords.search({ expression: anyWordOf(text), ...request });
  return hits.map(({ chunk }) => chunk.id);
}
