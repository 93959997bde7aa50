import type { CommandLineParts, OpenOptions } from './command-line-parts.js';
import { findProject, type ProjectDirectory } from './project-directory.js';
import { type ProjectOptions, Session } from './session.js';

/** What a command needs. */
export interface Needs extends Pick<OpenOptions, 'model' | 'logLevel'> {
  /** Of the project. `searches`: changes nothing but the counts of retrievals. */
  readonly access: 'nothing' | 'reads' | 'searches' | 'writes';
}

/** Carries out the commands that work on a project. */
export class Runner {
  readonly #options: CommandLineParts;

  constructor(options: CommandLineParts) {
    this.#options = options;
  }

  /** Finds the project, composes the service, does the work and closes everything again. */
  async run(
    { project: option, json }: ProjectOptions,
    needs: Needs,
    work: (session: Session) => Promise<void>,
  ): Promise<void> {
    const { directory, home } = this.#options;
    const findAppDir = await this.#options.findAppDir();
    const project = findProject({ option, directory, home, findAppDir });
    const operations = await this.#options.open(openOptions(needs, project));
    const format = json === true ? 'json' : 'text';
    try {
      await work(new Session(this.#options, { project, operations }, format));
    } finally {
      await operations.stop();
    }
  }
}

/** A search would otherwise make an application directory wherever somebody searches. */
function openOptions(
  { access, ...needs }: Needs,
  { isInitialized }: ProjectDirectory,
): OpenOptions {
  const isScratch = access === 'nothing' || (access === 'searches' && !isInitialized);
  return { ...needs, store: isScratch ? 'scratch' : 'configured' };
}
