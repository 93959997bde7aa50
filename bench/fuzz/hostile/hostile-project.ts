import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TempProject } from '../../../test/support/temp-project.js';
import { Random } from '../../faults/random.js';
import { DATABASE_PLANTS } from './databases.js';
import { FOLDER_PLANTS } from './folders.js';
import { NAME_PLANTS } from './names.js';
import type { Plants, Scene } from './plant.js';
import type { Site } from './site.js';
import { TEXT_PLANTS } from './texts.js';

const PLANTS: Plants = { ...DATABASE_PLANTS, ...TEXT_PLANTS, ...FOLDER_PLANTS, ...NAME_PLANTS };
const MOST_PLANTS = 4;
const LAST = [...Object.keys(NAME_PLANTS), 'odd kinds', 'links out', 'moving links'];

/** A project with one to four plants, which the seed reproduces. */
export class HostileProject {
  readonly seed: number;
  readonly scene: Scene;
  readonly plants: readonly string[];
  readonly #folder: string;
  readonly #stops: readonly (() => void)[];

  constructor(site: Site, seed: number) {
    this.seed = seed;
    this.#folder = join(site.roots, `${seed}`);
    const random = new Random(seed);
    const project = new TempProject(
      { 'a.md': '## A\n\na tapir\n' },
      '.knowledge',
      join(this.#folder, 'empty'),
    );
    const { outside, databases, productNames } = site;
    this.scene = { random, project, outside, databases, productNames };
    const names = Array.from({ length: 1 + random.below(MOST_PLANTS) }, () =>
      random.pick(Object.keys(PLANTS)),
    );
    // Each plant at most once, in an order: after a link, a plant could itself write outside, and after a pipe, wait
    // for a reader.
    this.plants = [...new Set(names)].toSorted((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
    this.#stops = this.plants.flatMap((name) => this.#plant(name));
  }

  get path(): string {
    return this.scene.project.path;
  }

  /** Stops the plants that are still active. */
  stop(): void {
    // In reverse order, so that the last links are put back first: a closing socket removes its path, even through a
    // link.
    for (const stop of this.#stops.toReversed()) stop();
  }

  /** Uses `rm`, which copes with names that are not valid text. Files that the service is still writing may remain. */
  async remove(): Promise<void> {
    await promisify(execFile)('rm', ['-rf', this.#folder]).catch(() => undefined);
  }

  /** Ignores errors, since one plant may have taken the place of another. */
  #plant(name: string): readonly (() => void)[] {
    try {
      const stop = PLANTS[name]?.(this.scene);
      return stop === undefined ? [] : [stop];
    } catch {
      return [];
    }
  }
}
