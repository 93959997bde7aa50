import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutSomeVectors } from '../../bench/quality/collection.js';
import { runSet } from '../../bench/quality/set-run.js';
import { find, type ModeReport, type SetReport } from '../../bench/quality/summary.js';
import { isLongRun } from '../support/postgres-under-test.js';
import { missingSlices, readSlice, type SliceName } from '../support/quality-slice.js';

const MODES = ['bm25', 'rrf', 'blend'] as const;
type GateMode = (typeof MODES)[number];

/** nDCG@10 that a change may not fall below: what was measured, less .003 (`bench/README.md`, "The gate"). */
const FLOORS: Readonly<Record<SliceName, Readonly<Record<GateMode, number>>>> = {
  'lessons-aiom': { bm25: 0.661, rrf: 0.714, blend: 0.734 },
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
