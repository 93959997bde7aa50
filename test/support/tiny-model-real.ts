import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RealModel {
  readonly model: string;
  readonly source: { readonly modelsDirectory: string };
  /** Why the real weights cannot be used; undefined if they can. */
  readonly missing: string | undefined;
}

/** The real weights, if they are in `../shared/models` or `DATA_DIR/models`, or the reason why they are missing. */
export function realModel(): RealModel {
  const found = PLACES.find((place) => existsSync(join(place, MODEL, 'onnx/model_quantized.onnx')));
  const missing = found === undefined ? `no ${MODEL} in ${PLACES.join(' or ')}` : undefined;
  if (missing !== undefined) console.warn(`Tests with real weights are skipped: ${missing}`);
  return { model: MODEL, source: { modelsDirectory: found ?? '' }, missing };
}

const MODEL = 'Xenova/all-MiniLM-L6-v2';
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = [
  join(CHECKOUT, '../shared/models'),
  join(process.env['DATA_DIR'] ?? join(CHECKOUT, 'data'), 'models'),
];
