import { describe, expect, it } from 'vitest';
import { answerTokens } from '../../../src/adapters/mcp/answers/budget.js';
import { linesPage } from '../../../src/adapters/mcp/answers/lines-page.js';

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');
const numbered = Array.from({ length: 1200 }, (_, i) => `line number ${i}`);

describe('a page of lines', () => {
  it.each([
    ['many short lines', numbered, 300],
    ['paragraphs on one line each', ['# P', '', words(400), '', words(400)], 700],
    ['one long line', [words(3000)], 300],
    ['a long line without spaces', ['x'.repeat(9000)], 200],
    ['a line of other signs', ['字'.repeat(3000), 'end'], 100],
    ['long and short lines', [words(900), 'a', '', 'b', words(900), 'c'], 250],
    ['a budget of nothing', ['some words', words(90)], 0],
  ])('leads on to everything: %s', (_, lines, tokens) => {
    let [line, column] = [0, 1];
    let read = '';
    for (let pages = 0; ; pages += 1) {
      expect(pages).toBeLessThan(2000);
      const { text, last, next } = linesPage(lines.slice(line), tokens, column);
      expect(answerTokens(text)).toBeLessThanOrEqual(tokens + 15);
      if (next === undefined) {
        expect(line + last).toBe(lines.length - 1);
        expect(read + text).toBe(lines.join('\n'));
        return;
      }
      const isCut = next.column > 1;
      expect(last).toBe(isCut ? next.line : next.line - 1);
      read += isCut ? text.replace(/ …$/, '') : `${text}\n`;
      [line, column] = [line + next.line, next.column];
    }
  });

  it('fills its budget if a line does not fit', () => {
    const { text, last, next } = linesPage(['# P', '', words(800)], 700);
    expect(answerTokens(text)).toBeGreaterThan(350);
    expect({ last, next }).toMatchObject({ last: 2, next: { line: 2 } });
  });
});
