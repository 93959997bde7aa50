import type { EvaluationQuestion } from './questions.js';

interface HeadedChunk {
  readonly sourceFile: string;
  readonly heading?: string | undefined;
}

/** At most ten questions from a project's headings, taken from the files in turn. */
export function firstQuestions(chunks: readonly HeadedChunk[]): readonly EvaluationQuestion[] {
  const byFile = new Map<string, Set<string>>();
  for (const { sourceFile, heading = '' } of chunks) {
    if (!isTelling(heading)) continue;
    byFile.set(sourceFile, (byFile.get(sourceFile) ?? new Set()).add(heading));
  }
  const files = [...byFile].map(([file, headings]) => ({ file, headings: [...headings] }));
  const longest = Math.max(0, ...files.map(({ headings }) => headings.length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    files.flatMap(({ file, headings }) => {
      const heading = headings[turn];
      return heading === undefined
        ? []
        : [{ question: ask(heading), expect: `${file}#${heading}` }];
    }),
  );
  return turns.flat().slice(0, QUESTIONS);
}

const QUESTIONS = 10;

/** A single short word is too vague to search for. */
function isTelling(heading: string): boolean {
  return heading.trim().length >= 4 && /\p{L}{3}/u.test(heading);
}

function ask(heading: string): string {
  const text = heading.replace(/[`*_]/g, '').trim();
  return /[?？]$/.test(text) ? text : `What is known about ${text}?`;
}
