import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Collection,
  type CorpusDocument,
  collectionNames,
  readCollection,
  withoutSomeVectors,
} from '../../bench/quality/collection.js';
import { runSet } from '../../bench/quality/set-run.js';
import { find, type ModeReport, type SetReport } from '../../bench/quality/summary.js';
import { isLongRun } from '../support/postgres-under-test.js';
import { CHECKOUT } from '../support/running-service.js';

const SLICES = ['lessons-aiom', 'scifact'] as const;
type SliceName = (typeof SLICES)[number];

/** Every nth query is run. */
const QUERY_EVERY = 3;
/** Every nth document that answers no query is kept, as a distractor. */
const DISTRACTOR_EVERY = 12;

const DATA = join(CHECKOUT, '../shared/quality');

const MODES = ['bm25', 'rrf', 'blend'] as const;
type GateMode = (typeof MODES)[number];

/** nDCG@10 that a change may not fall below: what was measured, less .003 (`bench/README.md`, "The gate"). */
const FLOORS: Readonly<Record<SliceName, Readonly<Record<GateMode, number>>>> = {
  'lessons-aiom': { bm25: 0.656, rrf: 0.714, blend: 0.734 },
  scifact: { bm25: 0.838, rrf: 0.859, blend: 0.882 },
};

/** nDCG@10 while three documents in ten have no vector yet. */
const FLOORS_WITHOUT_SOME_VECTORS = {
  'lessons-aiom': { rrf: 0.688, blend: 0.702 },
  scifact: { rrf: 0.832, blend: 0.857 },
};

/** The check measures one. */
function slices(): readonly SliceName[] {
  return isLongRun ? ['lessons-aiom', 'scifact'] : ['lessons-aiom'];
}

describe
  .skipIf(missingSlices() !== undefined)
  .each(slices().map((slice) => [slice, FLOORS[slice]] as const))(
  'search on %s',
  (slice, floors) => {
    let report: SetReport;
    let artefact = '';

    beforeAll(async () => {
      report = await runSet(readSlice(slice), {
        modes: MODES,
        model: 'recorded',
      });
    });

    /** What to look at when a floor is missed: every query with its ranking and metrics. */
    afterAll(() => {
      if (artefact !== '') writeFileSync(artefact, JSON.stringify(report, undefined, 1));
    });

    it.each(MODES)('ranks in %s mode no worse than its floor', (mode) => {
      const { metrics } = reported(mode);
      expectOrKeep(
        metrics.ndcg10 >= floors[mode],
        () => `nDCG@10 of ${mode} is ${metrics.ndcg10.toFixed(4)}, its floor ${floors[mode]}`,
      );
    });

    function reported(mode: GateMode): ModeReport {
      return find(report.modes, mode) ?? expect.fail(`${mode} was not measured`);
    }

    function expectOrKeep(holds: boolean, problem: () => string): void {
      if (holds) return;
      artefact ||= join(mkdtempSync(join(tmpdir(), 'quality-gate-')), `${slice}.json`);
      expect.fail(`${problem()}; every query is in ${artefact}`);
    }
  },
);

describe.skipIf(missingSlices() !== undefined || !isLongRun).each(slices())(
  'search on %s while vectors are missing',
  (slice) => {
    it('ranks no worse than its floors', async () => {
      const report = await runSet(withoutSomeVectors(readSlice(slice)), {
        modes: ['rrf', 'blend'],
        model: 'recorded',
      });
      for (const mode of ['rrf', 'blend'] as const) {
        const ndcg10 = find(report.modes, mode)?.metrics.ndcg10;
        expect(ndcg10, mode).toBeGreaterThanOrEqual(FLOORS_WITHOUT_SOME_VECTORS[slice][mode]);
      }
    });
  },
);

/** Why the slices are missing; undefined if they exist. */
function missingSlices(): string | undefined {
  const known = existsSync(DATA) ? collectionNames(DATA) : [];
  const missing = SLICES.filter((name) => !known.includes(name));
  if (missing.length === 0) return undefined;
  const reason = `no ${missing.join(', ')} in ${join('..', 'shared', 'quality')}`;
  console.warn(`The quality gate is skipped: ${reason}`);
  return reason;
}

/** A collection small enough for a test: a part of the queries, and of scifact's documents. */
function readSlice(name: SliceName): Collection {
  const collection = readCollection(DATA, name);
  const queries = collection.queries.filter((_, index) => index % QUERY_EVERY === 0);
  const wanted = new Set(collection.queries.flatMap(({ relevant }) => [...relevant]));
  const keeps = ({ id }: CorpusDocument, index: number) =>
    wanted.has(id) || index % DISTRACTOR_EVERY === 0;
  return { ...collection, queries, documents: collection.documents.filter(keeps) };
}
