import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ProjectStores } from '../../src/ports/project-stores.js';
import { postgresHarness } from '../../test/adapter/postgres/project-stores-harness.js';
import { sqliteHarness } from '../../test/adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness, type MakeHarness } from '../../test/contract/harness/store-harness.js';
import { startPglite } from '../../test/support/pglite-server.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FuzzFamily } from './family.js';
import { commandsOf } from './model-commands.js';
import { PlainModel } from './plain-model.js';
import { SystemUnderTest } from './system-under-test.js';

/** B5: compares sequences of edits, ingestions, searches, prunes, rebuilds and restarts with a plain model. */
export const model: FuzzFamily = {
  name: 'model',
  title: 'B5 sequences against a model',
  defaultRuns: 200,
  async run({ runs, seed }) {
    const steps = { count: 0 };
    for (const makeHarness of [sqliteHarness, inMemoryHarness]) {
      await assertAgreement(makeHarness, { runs, seed, steps });
    }
    return [`${runs} sequences on SQLite and on the memory stores, ${steps.count} steps in all`];
  },
  negativeControl: ({ seed }) =>
    assertAgreement(inMemoryHarness, { runs: 200, seed, steps: { count: 0 }, wrap: forgetful }),
};

/** Like `model`, on PostgreSQL in this process (PGlite). */
export const modelOnPostgres: FuzzFamily = {
  name: 'model-postgres',
  title: 'B5 the same on PostgreSQL (PGlite)',
  defaultRuns: 50,
  async run({ runs, seed }) {
    const server = await startPglite();
    const url = `${server.url}?connection_limit=1`;
    const steps = { count: 0 };
    try {
      const makeHarness = () => postgresHarness({ url, connections: 1, schemas: 'reused' });
      await assertAgreement(makeHarness, { runs, seed, steps });
    } finally {
      await server.stop();
    }
    return [`${runs} sequences, ${steps.count} steps in all`];
  },
  negativeControl: model.negativeControl,
};

interface Agreement {
  readonly runs: number;
  readonly seed: number;
  readonly steps: { count: number };
  readonly wrap?: (stores: ProjectStores) => ProjectStores;
}

async function assertAgreement(
  makeHarness: MakeHarness,
  { runs, seed, steps, wrap = (stores) => stores }: Agreement,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(commandsOf(steps), async (commands) => {
      const harness = await makeHarness();
      try {
        const real = await SystemUnderTest.start(harness, wrap);
        await fc.asyncModelRun(() => ({ model: new PlainModel(), real }), commands);
        const database = join(harness.projectPath, '.knowledge/knowledge.db');
        const problems = existsSync(database) ? problemsIn(database) : [];
        if (problems.length > 0) throw new Error(problems.join('\n'));
      } finally {
        await harness.dispose();
      }
    }),
    { numRuns: runs, seed },
  );
}

/** Stores that keep the chunks of deleted files. */
function forgetful(stores: ProjectStores): ProjectStores {
  return {
    open: async (path) => {
      const store = await stores.open(path);
      const replaceSources = (changes: Parameters<typeof store.chunks.replaceSources>[0]) =>
        store.chunks.replaceSources(changes.filter(({ document }) => document !== undefined));
      const chunks = new Proxy(store.chunks, {
        get(target, name) {
          if (name === 'replaceSources') return replaceSources;
          const value = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      return { ...store, chunks };
    },
    find: (path) => stores.find(path),
    close: () => stores.close(),
  };
}
