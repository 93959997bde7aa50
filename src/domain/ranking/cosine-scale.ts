import { cosineSimilarity, type Vector } from './vector.js';

/**
 * The distribution of a model's cosines, measured on the same texts for every model: the mean cosine of questions to
 * their own answers, and to the answers of other questions.
 */
export interface CosineScale {
  readonly own: number;
  readonly others: number;
}

/** The model for which the constants of relevance were chosen (docs/quality.md, "Relevance"). */
export const REFERENCE_MODEL = 'Xenova/all-MiniLM-L6-v2';
export const REFERENCE_SCALE: CosineScale = { own: 0.319, others: 0.059 };

/** Converts a cosine of a model with this scale into the cosine of the reference model. */
export function onReferenceScale(cosine: number, { own, others }: CosineScale): number {
  const { own: high, others: low } = REFERENCE_SCALE;
  return low + ((cosine - others) * (high - low)) / (own - others);
}

/** Undefined if the model does not distinguish answers. @param answers in the same order as the questions */
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

/** A smaller difference is noise. */
const LEAST_DIFFERENCE = 0.005;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
