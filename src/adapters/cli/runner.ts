import type { CommandLineParts, OpenOptions } from './command-line-parts.js';
import { findProject, type ProjectDirectory } from './project-directory.js';
import { type ProjectOptions, Session } from './session.js';

/** What a command needs. */
export interface Needs extends Pick<OpenOptions, 'model'> {
  /** `searches`: changes nothing but the counts of retrievals. */
  readonly access: 'reads' | 'searches' | 'writes';
}

/** Carries out the commands that work on a project. */
export class Runner {
  readonly #parts: CommandLineParts;

  constructor(parts: CommandLineParts) {
    this.#parts = parts;
  }

  /** Finds the project, composes the service, does the work and closes everything again. */
  async run(
    { project: option, json }: ProjectOptions,
    needs: Needs,
    work: (session: Session) => Promise<void>,
  ): Promise<void> {
    const { directory } = this.#parts;
    const project = findProject({ option, directory, appDir: await this.#parts.appDir() });
    const operations = await this.#parts.open(openOptions(needs, project));
    const format = json === true ? 'json' : 'text';
    try {
      await work(new Session(this.#parts, { project, operations }, format));
    } finally {
      await operations.stop();
    }
  }
}

/** A search would otherwise make an application directory wherever somebody searches. */
function openOptions({ access, model }: Needs, { isInitialized }: ProjectDirectory): OpenOptions {
  return {
    model,
    store: access === 'searches' && !isInitialized ? 'scratch' : 'configured',
  };
}
