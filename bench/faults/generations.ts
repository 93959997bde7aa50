import { renameSync } from 'node:fs';
import { chunksIn } from '../../test/support/database-inspection.js';
import type { TempProject } from '../../test/support/temp-project.js';

/** Number of sections in every source that these harnesses write. */
export const SECTIONS = 4;

/** The text of a source. Every section names its generation. */
export function generationText(name: string, generation: number): string {
  return Array.from(
    { length: SECTIONS },
    (_, section) =>
      `## Section ${section}\n\napple ${name}s${section} generation${generation} ${'disk engine forest '.repeat(8)}\n`,
  ).join('\n');
}

/**
 * What clients know of each source: the generation they wrote last, and the one that the service confirmed last. The
 * database must hold one complete generation of each source, between these two.
 */
export class AcknowledgementLog {
  readonly #written = new Map<string, number>();
  readonly #confirmed = new Map<string, number>();
  #count = 0;

  /** Number of confirmed operations. */
  get count(): number {
    return this.#count;
  }

  /**
   * Writes the next generation with a rename, because a service that watches the project could otherwise index a file
   * that is still empty.
   */
  write(project: TempProject, feature: string): void {
    const generation = (this.#written.get(feature) ?? 0) + 1;
    this.#written.set(feature, generation);
    const path = project.reflection(feature);
    project.write(`${path}.new`, generationText(feature, generation));
    renameSync(project.at(`${path}.new`), project.at(path));
  }

  /** The generations that an ingestion confirms if it begins now. */
  snapshot(features: Iterable<string> = this.#written.keys()): ReadonlyMap<string, number> {
    return new Map(Array.from(features, (name) => [name, this.#written.get(name) ?? 0]));
  }

  confirm(snapshot: ReadonlyMap<string, number>): void {
    for (const [name, generation] of snapshot) {
      this.#confirmed.set(name, Math.max(generation, this.#confirmed.get(name) ?? 0));
    }
    this.#count += 1;
  }

  /** Compares the log with the database. */
  compare(project: TempProject): Comparison {
    const found = generationsIn(project);
    const lost: string[] = [];
    const wrong: string[] = [];
    for (const [name, written] of this.#written) {
      const confirmed = this.#confirmed.get(name) ?? 0;
      const generations = found.get(name) ?? [];
      const [only = 0] = generations;
      if (generations.some((each) => each !== only)) {
        wrong.push(`I1 ${name} has the generations ${generations.join(', ')}`);
      } else if (
        generations.length !== SECTIONS &&
        !(generations.length === 0 && confirmed === 0)
      ) {
        wrong.push(`I1 ${name} has ${generations.length} of ${SECTIONS} sections`);
      }
      if (only < confirmed) lost.push(`I5 ${name}: ${confirmed} was confirmed, ${only} is stored`);
      if (only > written) wrong.push(`I1 ${name} has generation ${only}, never written`);
    }
    return { lost, wrong };
  }
}

export interface Comparison {
  readonly lost: readonly string[];
  readonly wrong: readonly string[];
}

/** The generations of the chunks in the database, keyed by feature. */
function generationsIn(project: TempProject): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { source_file: file, content } of chunksIn(project.database)) {
    const feature = /features\/([^/]+)\/reflection\.md$/.exec(file)?.[1];
    const generation = /generation(\d+)/.exec(content)?.[1];
    if (feature === undefined || generation === undefined) continue;
    found.set(feature, [...(found.get(feature) ?? []), Number(generation)]);
  }
  return found;
}
