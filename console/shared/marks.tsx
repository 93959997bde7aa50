import { stemmer } from 'stemmer';
import { findPassage, shownWords } from '../../src/domain/query/passages.js';

interface MarkedProps {
  readonly text: string;
  readonly query: string;
}

/** Text in which the words of a query are marked. Compares them by stem, like the index. */
export function Marked({ text, query }: MarkedProps) {
  const stems = new Set(shownWords(query).map(stemOf));
  if (stems.size === 0) return <>{text}</>;
  return <>{piecesOf(text, stems)}</>;
}

/** The excerpt to show in a list. Starts shortly before the place that best shows why the text was found. */
export function excerptOf({ text, query }: MarkedProps): string {
  const first = findPassage(text, query) ?? 0;
  if (first < EXCERPT_BEFORE * 2) return text.slice(0, EXCERPT);
  const start = text.indexOf(' ', first - EXCERPT_BEFORE) + 1 || first;
  return `… ${text.slice(start, start + EXCERPT)}`;
}

const EXCERPT = 900;
const EXCERPT_BEFORE = 120;

function piecesOf(text: string, stems: ReadonlySet<string>) {
  const pieces = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!stems.has(stemOf(word))) continue;
    pieces.push(text.slice(end, index), <mark key={index}>{word}</mark>);
    end = index + word.length;
  }
  return [...pieces, text.slice(end)];
}

const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;

/** The stem of a word. A prefix in a query (`lock*`) has lost its asterisk here, so only whole words are marked. */
function stemOf(word: string): string {
  const folded = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.length > 64 ? folded : stemmer(folded);
}
