import { beforeEach, describe, expect, it } from 'vitest';
import { FeatureRun } from '../../../src/app/lessons/feature-run.js';
import type { FeatureState } from '../../../src/domain/lessons/feature-state.js';
import type {
  CompletionReport,
  FeatureInHand,
  FeatureLifecycle,
  Lessons,
} from '../../../src/ports/driving/feature-lifecycle.js';

const LESSONS: Lessons = { section: '## Lessons', source: 'siblings', results: [] };
const REPORT: CompletionReport = {
  learnings: 1,
  added: 1,
  duplicates: 0,
  categories: ['api'],
  compacted: [],
};
const FEATURE = { featureId: 'f-1', title: 'Search', description: 'Fast.' };

describe('a feature on its way', () => {
  let lifecycle: RecordingLifecycle;
  beforeEach(() => {
    lifecycle = new RecordingLifecycle();
  });

  function runFrom(state: FeatureState): FeatureRun {
    return new FeatureRun({ lifecycle, projectPath: '/project', feature: FEATURE, state });
  }

  it('goes from BACKLOG to DONE, with lessons on EXECUTE and a completion on DONE', async () => {
    const run = new FeatureRun({ lifecycle, projectPath: '/project', feature: FEATURE });
    expect(run.state).toBe('BACKLOG');
    expect(await run.enter('PLAN')).toBeUndefined();
    expect(await run.enter('EXECUTE')).toBe(LESSONS);
    expect(await run.enter('VERIFY')).toBeUndefined();
    expect(await run.enter('DONE')).toBe(REPORT);
    expect(run.state).toBe('DONE');
    expect(lifecycle.calls).toEqual([
      ['lessonsFor', '/project', FEATURE],
      ['completeFeature', '/project', 'f-1'],
    ]);
  });

  it('gets lessons again when it is tried again', async () => {
    const run = runFrom('VERIFY');
    await run.enter('FAILED');
    expect(await run.enter('EXECUTE')).toBe(LESSONS);
  });

  it('refuses a state that may not follow, names both, and stays', async () => {
    const run = runFrom('PLAN');
    const refused = run.enter('DONE');
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(refused).rejects.toThrow(/PLAN.*DONE/);
    expect(run.state).toBe('PLAN');
    expect(lifecycle.calls).toEqual([]);
  });

  it('stays where it was when its completion fails, and can be completed again', async () => {
    const run = runFrom('VERIFY');
    lifecycle.failure = new Error('The model is down.');
    await expect(run.enter('DONE')).rejects.toThrow('The model is down.');
    expect(run.state).toBe('VERIFY');
    lifecycle.failure = undefined;
    expect(await run.enter('DONE')).toBe(REPORT);
  });

  it('is completed once by two calls at once', async () => {
    const run = runFrom('VERIFY');
    const outcomes = await Promise.allSettled([run.enter('DONE'), run.enter('DONE')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(lifecycle.calls).toHaveLength(1);
  });
});

class RecordingLifecycle implements FeatureLifecycle {
  readonly calls: unknown[][] = [];
  failure: Error | undefined;

  async lessonsFor(projectPath: string, feature: FeatureInHand): Promise<Lessons> {
    this.#record('lessonsFor', projectPath, feature);
    return LESSONS;
  }

  async completeFeature(projectPath: string, featureId: string): Promise<CompletionReport> {
    this.#record('completeFeature', projectPath, featureId);
    return REPORT;
  }

  #record(...call: readonly unknown[]): void {
    this.calls.push([...call]);
    if (this.failure !== undefined) throw this.failure;
  }
}
