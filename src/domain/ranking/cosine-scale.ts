import { cosineSimilarity, type Vector } from './vector.js';

/**
 * How the cosines of a model are spread, measured on the same texts for every model: the mean cosine of questions to
 * their own answers, and to the answers of other questions.
 */
export interface CosineScale {
  readonly own: number;
  readonly others: number;
}

/**
 * The scale of Xenova/all-MiniLM-L6-v2, on which the constants of relevance were chosen (docs/quality.md, "Relevance").
 */
export const REFERENCE_MODEL = 'Xenova/all-MiniLM-L6-v2';
export const REFERENCE_SCALE: CosineScale = { own: 0.319, others: 0.059 };

/** The cosine that the reference model would have where a model with this scale has `cosine`. */
export function onReferenceScale(cosine: number, { own, others }: CosineScale): number {
  const { own: high, others: low } = REFERENCE_SCALE;
  return low + ((cosine - others) * (high - low)) / (own - others);
}

/** Undefined where a model does not tell answers apart. @param answers in the order of their questions */
export function measureCosineScale(
  questions: readonly Vector[],
  answers: readonly Vector[],
): CosineScale | undefined {
  const own: number[] = [];
  const others: number[] = [];
  for (const [place, question] of questions.entries()) {
    for (const [i, answer] of answers.entries())
      (i === place ? own : others).push(cosineSimilarity(question, answer));
  }
  const scale = { own: mean(own), others: mean(others) };
  return scale.own - scale.others >= LEAST_DIFFERENCE ? scale : undefined;
}

/** Below this, noise would decide. */
const LEAST_DIFFERENCE = 0.005;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
