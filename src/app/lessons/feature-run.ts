import { KnowledgeError } from '../../domain/errors.js';
import { type FeatureState, mayFollow } from '../../domain/lessons/feature-state.js';
import type {
  CompletionReport,
  FeatureLifecycle,
  Lessons,
} from '../../ports/driving/feature-lifecycle.js';

export interface FeatureRunOptions {
  readonly lifecycle: FeatureLifecycle;
  readonly projectPath: string;
  readonly feature: {
    readonly featureId: string;
    readonly title: string;
    readonly description: string;
  };
  /** Where the feature stands already; default `BACKLOG`. */
  readonly state?: FeatureState;
}

/** What entering a state answers. */
export interface EnteredState {
  readonly BACKLOG: undefined;
  readonly PLAN: undefined;
  /** Its `section` goes into the agent's prompt. */
  readonly EXECUTE: Lessons;
  readonly VERIFY: undefined;
  readonly DONE: CompletionReport;
  readonly FAILED: undefined;
}

/** One feature on its way through its states, driven by a host program. */
export class FeatureRun {
  readonly #onEntry: { readonly [S in FeatureState]: () => Promise<EnteredState[S]> };
  #state: FeatureState;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ lifecycle, projectPath, feature, state = 'BACKLOG' }: FeatureRunOptions) {
    this.#state = state;
    this.#onEntry = {
      BACKLOG: nothing,
      PLAN: nothing,
      EXECUTE: () => lifecycle.lessonsFor(projectPath, feature),
      VERIFY: nothing,
      DONE: () => lifecycle.completeFeature(projectPath, feature.featureId),
      FAILED: nothing,
    };
  }

  get state(): FeatureState {
    return this.#state;
  }

  /**
   * Goes on to a state and answers what it gives. Calls made at once go one after the other; one
   * that fails leaves the feature where it was, so that it can be made again.
   * @throws KnowledgeError `invalid_request` for a state that may not follow, else as the lifecycle does
   */
  enter<S extends FeatureState>(state: S): Promise<EnteredState[S]> {
    const turn = this.#last.then(() => this.#enter(state));
    this.#last = turn.catch(nothing);
    return turn;
  }

  async #enter<S extends FeatureState>(state: S): Promise<EnteredState[S]> {
    if (!mayFollow(this.#state, state)) {
      throw new KnowledgeError(
        'invalid_request',
        `A feature in ${this.#state} cannot enter ${state}.`,
      );
    }
    const answer = await this.#onEntry[state]();
    this.#state = state;
    return answer;
  }
}

async function nothing(): Promise<undefined> {}
