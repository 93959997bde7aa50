import type { CosineScale } from '../domain/ranking/cosine-scale.js';

/** Stores the distribution of each embedding model's cosines, which is measured once per model. */
export interface RelevanceScales {
  /**
   * The scale of a model; undefined until saved by this process or, with up to a minute's delay, by another one. Never
   * rejects.
   */
  read(model: string): Promise<CosineScale | undefined>;
  /** Saves the scale of a model. Never rejects; a scale that cannot be written is kept in memory. */
  save(model: string, scale: CosineScale): Promise<void>;
}
