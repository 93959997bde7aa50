import { describe, expect, it } from 'vitest';
import type { MakeHarness } from './project-stores-harness.js';
import { type Subject, useSubject } from './project-stores-subject.js';

/** Tests of a suite that an implementation cannot pass, and why. */
export interface Deviation {
  readonly reason: string;
  /** Names of tests of the suite, as they are written there. */
  readonly tests: readonly string[];
}

export interface ContractOptions {
  readonly makeHarness: MakeHarness;
  /** Tests that are not run, but reported as skipped with the reason. */
  readonly skip?: readonly Deviation[];
}

type Run<Arguments extends readonly unknown[]> = (...values: Arguments) => void | Promise<void>;

/** The `it` of a suite, which skips the tests of the skip list. */
interface ContractIt {
  (name: string, run: Run<[]>): void;
  each<Arguments extends readonly unknown[] | []>(
    cases: readonly Arguments[],
  ): (name: string, run: Run<Arguments>) => void;
}

export interface Suite {
  readonly it: ContractIt;
  /** The harness and opened store of the running test; throws outside tests. */
  readonly subject: () => Subject;
}

/** Declares the tests of one port for one implementation. */
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

/** Names in a skip list that no test has, for example after a test was renamed. */
export function unknownTests(
  skip: readonly Deviation[],
  declared: ReadonlySet<string>,
): readonly string[] {
  return skip.flatMap(({ tests }) => tests.filter((name) => !declared.has(name)));
}

function recordingIt(skip: readonly Deviation[], declared: Set<string>): ContractIt {
  const reasonOf = (name: string) => {
    declared.add(name);
    return skip.find(({ tests }) => tests.includes(name))?.reason;
  };
  const one = (name: string, run: Run<[]>) => {
    const reason = reasonOf(name);
    if (reason === undefined) it(name, () => run());
    else it.skip(`${name} (${reason})`);
  };
  const each =
    <Arguments extends readonly unknown[] | []>(cases: readonly Arguments[]) =>
    (name: string, run: Run<Arguments>) => {
      const reason = reasonOf(name);
      if (reason === undefined) it.for(cases)(name, (values) => run(...values));
      else it.skip(`${name} (${reason})`);
    };
  return Object.assign(one, { each });
}
