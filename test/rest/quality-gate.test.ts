import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Collection,
  type CorpusDocument,
  collectionNames,
  readCollection,
  withoutSomeVectors,
} from '../../bench/quality/collection.js';
import { runSet } from '../../bench/quality/set-run.js';
import { find, type SetReport } from '../../bench/quality/summary.js';
import { isLongRun } from '../support/postgres-under-test.js';
import { CHECKOUT } from '../support/running-service.js';
import { tempDirectory } from '../support/temp-project.js';

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

const isMissing = isAnyMissing();

/** The check measures one. */
describe.skipIf(isMissing).each(isLongRun ? SLICES : SLICES.slice(0, 1))(
  'search on %s',
  (slice) => {
    let report: SetReport;
    beforeAll(async () => {
      report = await runSet(readSlice(slice), { modes: MODES, model: 'recorded' });
    });

    it.each(MODES)('ranks in %s mode no worse than its floor', (mode) => {
      const ndcg10 = find(report.modes, mode)?.metrics.ndcg10;
      const floor = FLOORS[slice][mode];
      if (ndcg10 !== undefined && ndcg10 >= floor) return;
      expect.fail(`nDCG@10 of ${mode} is ${ndcg10}, its floor ${floor}; see ${kept(report)}`);
    });
  },
);

describe.skipIf(isMissing || !isLongRun).each(SLICES)(
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

/** What to look at when a floor is missed: every query with its ranking and metrics. */
function kept(report: SetReport): string {
  const path = join(tempDirectory('quality-gate-'), `${report.name}.json`);
  writeFileSync(path, JSON.stringify(report, undefined, 1));
  return path;
}

function isAnyMissing(): boolean {
  const known = existsSync(DATA) ? collectionNames(DATA) : [];
  const missing = SLICES.filter((name) => !known.includes(name));
  if (missing.length > 0) console.warn(`The quality gate is skipped without ${missing.join(', ')}`);
  return missing.length > 0;
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
