import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonRelevanceScales } from '../../../src/adapters/files/json-relevance-scales.js';
import { calibrateRelevance } from '../../../src/app/enrichment/relevance-calibration.js';
import { CALIBRATION_PAIRS } from '../../../src/domain/ranking/calibration-pairs.js';
import {
  measureCosineScale,
  onReferenceScale,
  REFERENCE_SCALE,
} from '../../../src/domain/ranking/cosine-scale.js';
import { normalize, type Vector } from '../../../src/domain/ranking/vector.js';
import type { TextRole } from '../../../src/ports/embedder.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

let folder: string;
const clock = new FixedClock();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scales-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the scale of a model', () => {
  it('is measured on 60 questions, each with one answer', () => {
    expect(CALIBRATION_PAIRS).toHaveLength(60);
    for (const pair of CALIBRATION_PAIRS) expect(pair).toHaveLength(2);
    expect(new Set(CALIBRATION_PAIRS.flat()).size).toBe(120);
  });

  it('maps its cosines to those of the reference model', () => {
    expect(onReferenceScale(0.86, { own: 0.86, others: 0.81 })).toBeCloseTo(
      REFERENCE_SCALE.own,
      10,
    );
    expect(onReferenceScale(0.81, { own: 0.86, others: 0.81 })).toBeCloseTo(
      REFERENCE_SCALE.others,
      10,
    );
    expect(onReferenceScale(0.4, REFERENCE_SCALE)).toBeCloseTo(0.4, 10);
  });

  it('is unknown if answers are not nearer than other texts', () => {
    const same = [vector(1, 1), vector(1, 1)];
    expect(measureCosineScale(same, same)).toBeUndefined();
    const [a, b] = [vector(1, 0), vector(0, 1)];
    expect(measureCosineScale([a, b], [a, b])).toEqual({ own: 1, others: 0 });
  });

  it('is measured once, also for other processes', async () => {
    const first = calibration();
    await calibrateRelevance(first);
    const scale = await first.relevanceScales.read('fake/words');
    expect(scale?.own).toBeGreaterThan(scale?.others ?? 1);
    expect(first.embedder.embedded).toHaveLength(120);

    const second = calibration();
    await calibrateRelevance(second);
    expect(second.embedder.embedded).toEqual([]);
    expect(await second.relevanceScales.read('fake/words')).toEqual(scale);
    expect(await second.relevanceScales.read('another')).toBeUndefined();
    const stored = JSON.parse(await readFile(join(folder, 'relevance-scales.json'), 'utf8'));
    expect(Object.keys(stored)).toEqual(['fake/words']);
  });

  it('is read again a minute after it was missing', async () => {
    const [one, other] = [calibration(), calibration()];
    expect(await one.relevanceScales.read('fake/words')).toBeUndefined();
    await calibrateRelevance(other);
    expect(await one.relevanceScales.read('fake/words')).toBeUndefined();
    clock.advance(60_000);
    expect(await one.relevanceScales.read('fake/words')).toBeDefined();
  });

  it('is skipped with a log line if the model fails; a file of another program is replaced', async () => {
    await writeFile(join(folder, 'relevance-scales.json'), '[');
    const world = calibration();
    world.embedder.fail();
    expect(await calibrateRelevance(world)).toBe(false);
    expect(await world.relevanceScales.read('fake/words')).toBeUndefined();
    expect(world.logger.messages('warn')).toHaveLength(1);
    world.embedder.recover();
    expect(await calibrateRelevance(world)).toBe(true);
    expect(await world.relevanceScales.read('fake/words')).toBeDefined();
  });

  it('is not measured again if the model has none', async () => {
    const world = calibration();
    const embedBatch = world.embedder.embedBatch.bind(world.embedder);
    world.embedder.embedBatch = (texts) => embedBatch(texts.map(() => 'the same'));
    expect(await calibrateRelevance(world)).toBe(true);
    expect(await world.relevanceScales.read('fake/words')).toBeUndefined();
    expect(world.logger.messages('warn')).toEqual(['The model has no relevance scale.']);
  });
});

// Helpers

/** The model finds that a question means its answer. */
function calibration() {
  const embedder = FakeEmbedder.ready();
  const answers = new Map(CALIBRATION_PAIRS);
  const embedBatch = embedder.embedBatch.bind(embedder);
  embedder.embedBatch = (texts, role?: TextRole) =>
    embedBatch(role === 'query' ? texts.map((text) => answers.get(text) ?? text) : texts);
  return {
    embedder,
    relevanceScales: new JsonRelevanceScales(folder, clock),
    logger: new SilentLogger(),
  };
}

function vector(...values: readonly number[]): Vector {
  return normalize(Float32Array.from(values)) ?? new Float32Array();
}
