import { describe, expect, it } from 'vitest';
import type { ProjectsBody, ReadBody } from '../../../src/adapters/cli/bodies.js';
import { stylesFor } from '../../../src/adapters/cli/text/format.js';
import { searchProjectsText, searchText } from '../../../src/adapters/cli/text/search-text.js';

const SENTENCE = 'Probably no answer here.';

function answer(count: number, code = 'not_relevant'): ReadBody {
  const results = Array.from({ length: count }, (_, i) => ({
    chunk: {
      id: `docs/a.md#${i}`,
      sourceType: 'file',
      sourceFile: `docs/a${i}.md`,
      importance: 0.5,
      heading: 'A heading',
      content: 'Something else.\n\nA second line with coffee in it.',
    },
    score: 1,
    relevance: 0.1,
    line: 4,
    scope: 'project',
  }));
  const notes = [{ code, sentence: SENTENCE }];
  return {
    results,
    weak: true,
    leftOut: 7,
    retrieval_mode: 'hybrid',
    totalTokens: 30,
    explain: { notes, budget: { cut: 0, reason: 'nothing cut' } },
  } as unknown as ReadBody;
}

function shown(body: ReadBody, options = {}): readonly string[] {
  const places = body.results.map(({ chunk, line }) => `${chunk.sourceFile}:${line}`);
  const view = { styles: stylesFor(false), columns: 80, query: 'coffee', places, ...options };
  return searchText(body, view).split('\n');
}

describe('the closest results of a question without an answer', () => {
  it('take one line each, with place, heading and passage', () => {
    const lines = shown(answer(3));
    expect(lines.slice(0, 2).join(' ')).toBe(
      `${SENTENCE} Try again with --also and words that a document about it would use.`,
    );
    expect(lines.slice(3, 6)).toEqual(
      [0, 1, 2].map(
        (i) => `${i + 1}. docs/a${i}.md:4 › A heading: A second line with coffee in it.`,
      ),
    );
    expect(lines[6]).toBe('');
  });

  it('are shown the same while vectors are missing, which is said once and above them', () => {
    const lines = shown(answer(3, 'no_vectors'));
    expect(lines.slice(0, 3)).toEqual([SENTENCE, '', expect.stringMatching(/^1\. docs.*coffee/)]);
    expect(lines.join('\n').split(SENTENCE)).toHaveLength(2);
  });

  it('count the tokens that are shown, with colors or without', () => {
    const texts = shown(answer(3)).slice(3, 6).join('\n');
    const tokens = `${Math.ceil(texts.length / 4)} tokens`;
    expect(shown(answer(3))[7]).toContain(`3 results by keyword and meaning, ${tokens}, 7 weak`);
    expect(shown(answer(3), { styles: stylesFor(true) })[7]).toContain(tokens);
    expect(shown(answer(3), { full: true }).join('\n')).toContain('30 tokens');
  });

  it('show enough of the passage to judge it, in a narrow terminal and for a long one', () => {
    const body = answer(1);
    const passage = `A line with coffee ${'and more of it '.repeat(40)}`;
    const results = body.results.map((result) => ({
      ...result,
      chunk: { ...result.chunk, content: passage },
    }));
    const [, , line = ''] = shown({ ...body, results }, { columns: 40, also: 'a drink' });
    expect(line).toMatch(/^1\. docs\/a0\.md:4 › A heading: A line with coffee .{80,}…$/);
    expect(line.length).toBeLessThanOrEqual(170);
  });

  it('are shown as usual if all results or whole texts are requested', () => {
    expect(shown(answer(4)).length).toBeGreaterThan(4 * 3);
    expect(shown(answer(1), { full: true }).join('\n')).toContain('Something else.');
  });
});

describe('an answer without results', () => {
  const empty = (reason: string) => {
    const notes = [{ code: 'no_match', sentence: 'No chunk matches.' }];
    const body = { ...answer(0), explain: { notes, mode: { value: 'bm25', reason } } };
    return shown(body as unknown as ReadBody, { paths: ['docs/**'] }).join(' ');
  };

  it('says why keywords alone were used', () => {
    expect(empty('No model.')).toBe(
      'Nothing found with --path docs/**. No chunk matches. This search used keywords only. No model.',
    );
  });

  it('does not speak of keywords if there was nothing to rank', () => {
    expect(empty('No result to rank by meaning.')).toBe(
      'Nothing found with --path docs/**. No chunk matches.',
    );
  });
});

describe('a search in several projects', () => {
  const shownOf = (relevance: number | undefined, count = 3, options = {}) => {
    const results = answer(count).results.map((result) => ({
      ...result,
      projectPath: '/p',
      relevance,
    }));
    const places = results.map((_, i) => `../p/a${i}.md:4`);
    const view = { styles: stylesFor(false), columns: 80, query: 'coffee', places, ...options };
    const body = { results, totalTokens: 30, skipped: [] } as unknown as ProjectsBody;
    return searchProjectsText(body, view);
  };
  const DOUBT = 'Probably no answer here: the best result has a relevance of 0.10.';

  it('says that its closest results are probably not the answer, one line each', () => {
    const lines = shownOf(0.1).split('\n');
    expect(lines[0]).toContain(DOUBT);
    expect(lines.slice(3, 6)).toEqual(
      [0, 1, 2].map(
        (i) => `${i + 1}. ../p/a${i}.md:4 › A heading: A second line with coffee in it.`,
      ),
    );
    expect(shownOf(0.1, 3, { also: 'a drink' }).split('\n')[0]).toBe(DOUBT);
  });

  it('shows all of them as usual on request, under the same sentence', () => {
    expect(shownOf(0.1, 4)).toMatch(/^Probably no answer[\s\S]*4 results, 30 tokens$/);
    expect(shownOf(0.1, 3, { full: true })).toMatch(
      /^Probably no answer[\s\S]*3 results, 30 tokens$/,
    );
  });

  it('says nothing of relevance if one may be the answer, or none has any', () => {
    expect(shownOf(0.5)).toMatch(/^1\. [\s\S]*3 results, 30 tokens$/);
    expect(shownOf(undefined)).toMatch(/^1\. [\s\S]*3 results, 30 tokens$/);
    expect(shownOf(0.1, 0)).toBe('Nothing found.');
  });
});
