import type { Clock } from '../../ports/clock.js';
import type { Project } from '../project.js';
import type { SessionCollecting } from './session-collector.js';

interface QuietSessionsDeps {
  readonly sessions: SessionCollecting;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Collects transcripts of projects in use that have had no additions for two minutes. */
export class QuietSessions {
  readonly #deps: QuietSessionsDeps;
  readonly #collectedAt = new Map<string, number>();

  constructor(deps: QuietSessionsDeps) {
    this.#deps = deps;
  }

  /**
   * Collects the transcripts of a project, at most once a minute; may be called more often.
   * @throws KnowledgeError as `collect` of the sessions does
   */
  async collect(project: Project): Promise<void> {
    const { sessions, clock } = this.#deps;
    const now = clock.monotonic();
    if (now - (this.#collectedAt.get(project.path) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) {
      return;
    }
    this.#collectedAt.set(project.path, now);
    const quietSince = clock.now().getTime() - QUIET_MS;
    await sessions.collect(project, ({ modifiedAt }) => modifiedAt <= quietSince);
  }
}

const LOOK_EVERY_MS = 60_000;
const QUIET_MS = 120_000;
