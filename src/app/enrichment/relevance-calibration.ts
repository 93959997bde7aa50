import { errorReason } from '../../domain/errors.js';
import { CALIBRATION_PAIRS } from '../../domain/ranking/calibration-pairs.js';
import { measureCosineScale } from '../../domain/ranking/cosine-scale.js';
import type { Embedder } from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';

interface CalibrationDeps {
  readonly embedder: Embedder;
  readonly relevanceScales: RelevanceScales;
  readonly logger: Logger;
}

/**
 * Measures the distribution of the model's cosines unless it is known. Returns whether that is settled, which it also
 * is if the cosines tell nothing; a failure of the model is logged, and a later call tries again.
 */
export async function calibrateRelevance(deps: CalibrationDeps): Promise<boolean> {
  const { embedder, relevanceScales, logger } = deps;
  const { model } = embedder;
  if ((await relevanceScales.read(model)) !== undefined) return true;
  try {
    const questions = await embedder.embedBatch(
      CALIBRATION_PAIRS.map(([question]) => question),
      'query',
    );
    const answers = await embedder.embedBatch(CALIBRATION_PAIRS.map(([, answer]) => answer));
    const scale = measureCosineScale(questions, answers);
    if (scale === undefined) {
      const reason = 'it does not distinguish answers from other texts';
      logger.warn('The model has no relevance scale.', { model, reason });
      return true;
    }
    await relevanceScales.save(model, scale);
    logger.info('The relevance scale of the model was measured.', { model, ...scale });
    return true;
  } catch (error) {
    const fields = { model, reason: errorReason(error) };
    logger.warn('The relevance scale of the model could not be measured.', fields);
    return false;
  }
}
