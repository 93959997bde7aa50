import { containsUnspaced } from '../bigrams.js';
import { PATH_HINT } from './mentioned-path.js';

/**
 * Non-ASCII punctuation, quotation marks, arrows and invisible signs, which a path may follow without a space. Hyphens
 * and joiners belong to words.
 */
const WIDE_SIGN =
  '(?:(?![\\0-\\xff\\u2010\\u2011\\u200c\\u200d])[\\p{P}\\p{Sm}\\p{Cf}\\u2190-\\u21ff\\u3000-\\u3004\\u3012\\u3013\\u3020\\uff04\\uff3e\\uff40]|[\\xa1\\xab\\xb7\\xbb\\xbf])';
/** A character of a word; the target of a link is a word by itself. */
const IN_WORD = `(?:(?!${WIDE_SIGN})[^\\s"'\`<>|,;=(]|(?<!\\])\\()`;
/** A word that may be a path, with the text before it; most text is skipped. */
export const WORD = new RegExp(`(?:${PATH_HINT})(?<=(${IN_WORD}*).)${IN_WORD}*`, 'giu');

/** A character that ends a word. */
export const ENDS_WORD = new RegExp(`[ ',;=(]|${WIDE_SIGN}`, 'u');

/** The text before a link's closing parenthesis; balanced parentheses belong to the path. */
export function linkTarget(word: string): string {
  let depth = 0;
  for (let at = 0; at < word.length; at += 1) {
    if (word[at] === '(') depth += 1;
    if (word[at] === ')') depth -= 1;
    if (depth < 0) return word.slice(0, at);
  }
  return bare(word);
}

/**
 * The paths that a word may be: the word without punctuation and emphasis around it, and the parts of it that follow or
 * precede Chinese or Japanese text (`修改src/a.ts即可`), written without spaces, or a symbol.
 */
export function possiblePaths(word: string): readonly string[] {
  const path = bare(word);
  if (!containsUnspaced(path) && !/\p{So}/u.test(path)) return [path];
  const runs = path.match(/[!-~]+/g) ?? [];
  const inner = path.slice(Math.max(0, path.search(/[\w.@]/)), path.search(/[!-~][^!-~]*$/) + 1);
  return [...new Set([path, inner, ...runs].map(bare))];
}

function bare(word: string): string {
  const opened = word.replace(/^[([{*~]+/, '');
  let end = opened.length;
  while (end > 0 && CLOSING.includes(opened.charAt(end - 1))) {
    const open = PAIRS[opened.charAt(end - 1)];
    if (open !== undefined && opened.includes(open)) break;
    end -= 1;
  }
  return opened.slice(0, end);
}

const CLOSING = ')]}*~.,:;!?…';
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
