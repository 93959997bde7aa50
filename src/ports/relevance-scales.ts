import type { CosineScale } from '../domain/ranking/cosine-scale.js';

/** Keeps how the cosines of embedding models are spread, which is measured once for each model. */
export interface RelevanceScales {
  /** Undefined until it is saved, by this process or, within a minute, by another one. Never rejects. */
  read(model: string): Promise<CosineScale | undefined>;
  /** Never rejects; a scale that cannot be written is kept as long as the process. */
  save(model: string, scale: CosineScale): Promise<void>;
}
