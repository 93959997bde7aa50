/** The words by which a lesson is compared with others. */
export interface LessonWords {
  readonly all: ReadonlySet<string>;
  /** Numbers and negations, any of which can reverse the meaning of a lesson. */
  readonly decisive: ReadonlySet<string>;
}

/**
 * Lessons at least this similar count as one if their decisive words agree: up to one word in ten may differ. No two of
 * the 783 lessons of a real project are closer than 0.35. When in doubt, a lesson is stored twice, because a dropped
 * one is lost.
 */
const SAME_LESSON_SIMILARITY = 0.8;

export function lessonWords(text: string): LessonWords {
  const words = text.toLowerCase().normalize('NFKC').match(WORD) ?? [text.trim()];
  return {
    all: new Set(words),
    decisive: new Set(words.filter((word) => DECISIVE.test(word))),
  };
}

/** Whether two lessons say the same, regardless of case, punctuation and word order. */
export function saysTheSame(a: LessonWords, b: LessonWords): boolean {
  return jaccardSimilarity(a.decisive, b.decisive) === 1 && areSimilar(a, b);
}

/** Whether two lessons have nearly the same words, which may still say opposite things. */
function areSimilar(a: LessonWords, b: LessonWords): boolean {
  return SAME_LESSON_SIMILARITY <= jaccardSimilarity(a.all, b.all);
}

/** The share of members that two sets have in common, 0 to 1; 1 if both are empty. */
export function jaccardSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((member) => b.has(member)).length;
  const either = a.size + b.size - common;
  return either === 0 ? 1 : common / either;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** `t` is the rest of "don't". */
const DECISIVE = /\p{N}|^(?:no|not|never|nor|none|cannot|without|t)$/u;
