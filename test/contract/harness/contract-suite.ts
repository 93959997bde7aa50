import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { type MakeHarness, NoOutsideWorld, type StoreHarness } from './store-harness.js';

/** Tests of a suite that an implementation cannot pass, and why. */
interface Deviation {
  readonly reason: string;
  /** Names of tests, as written in the suite. */
  readonly tests: readonly string[];
}

export interface ContractOptions {
  readonly makeHarness: MakeHarness;
  /** Tests to report as skipped, with the reason. */
  readonly skip?: readonly Deviation[];
}

/** A fresh harness and the opened store of its project, for each test. */
export interface Subject {
  readonly harness: StoreHarness;
  readonly store: ProjectStore;
}

type Run<Arguments extends readonly unknown[]> = (...values: Arguments) => void | Promise<void>;

/** The `it` of a suite. Skips the tests of the skip list, and tests that need another program if there can be none. */
interface ContractIt {
  (name: string, run: Run<[]>): void;
  each<Arguments extends readonly unknown[] | []>(
    cases: readonly Arguments[],
  ): (name: string, run: Run<Arguments>) => void;
}

export interface Suite {
  readonly it: ContractIt;
  /** Returns the harness and opened store of the running test; throws outside tests. */
  readonly subject: () => Subject;
}

/** Declares the tests of a port for one implementation. */
export function contractSuite(
  title: string,
  { makeHarness, skip = [] }: ContractOptions,
  declare: (suite: Suite) => void,
): void {
  describe(title, () => {
    const declared = new Set<string>();
    declare({ it: recordingIt(skip, declared), subject: useSubject(makeHarness) });
    if (skip.length === 0) return;
    it('skips only tests that exist', () => expect(unknownTests(skip, declared)).toEqual([]));
  });
}

/** Names in a skip list that no test has, such as after a test was renamed. */
export function unknownTests(
  skip: readonly Deviation[],
  declared: ReadonlySet<string>,
): readonly string[] {
  return skip.flatMap(({ tests }) => tests.filter((name) => !declared.has(name)));
}

function recordingIt(skip: readonly Deviation[], declared: Set<string>): ContractIt {
  const isSkipped = (name: string): boolean => {
    declared.add(name);
    const deviation = skip.find(({ tests }) => tests.includes(name));
    if (deviation !== undefined) it.skip(`${name} (${deviation.reason})`);
    return deviation !== undefined;
  };
  const one = (name: string, run: Run<[]>) => {
    if (!isSkipped(name)) it(name, (context) => unlessAlone(context, run));
  };
  const each =
    <Arguments extends readonly unknown[] | []>(cases: readonly Arguments[]) =>
    (name: string, run: Run<Arguments>) => {
      if (isSkipped(name)) return;
      it.for(cases)(name, (values, context) => unlessAlone(context, () => run(...values)));
    };
  return Object.assign(one, { each });
}

/** Runs a test. Skips it if it needs another program, but none can access the data. */
async function unlessAlone({ skip }: TestContext, run: Run<[]>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof NoOutsideWorld) skip(error.message);
    throw error;
  }
}

/** Call this inside `describe`, and the returned function inside tests. */
export function useSubject(makeHarness: MakeHarness): () => Subject {
  let subject: Subject | undefined;
  beforeEach(async () => {
    const harness = await makeHarness();
    subject = { harness, store: await harness.stores.open(harness.projectPath) };
  });
  afterEach(async () => {
    await subject?.harness.dispose();
  });
  return () => {
    if (subject === undefined) throw new Error('A subject exists only while a test runs.');
    return subject;
  };
}
