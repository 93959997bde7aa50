import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TempProject } from '../../../test/support/temp-project.js';
import type { Random } from '../../faults/random.js';

/** What a plant works with. */
export interface Scene {
  readonly random: Random;
  readonly project: TempProject;
  /** A folder that the project must not reach. */
  readonly outside: string;
  /** Intact databases to start from. */
  readonly databases: readonly Buffer[];
  /** Paths in a project that the product creates or opens. */
  readonly productNames: readonly string[];
}

/**
 * Puts something hostile into a project. Returns a function that ends it, if it stays active while the project is used.
 */
type Plant = (scene: Scene) => undefined | (() => void);

export type Plants = Readonly<Record<string, Plant>>;

/** A plant that does not stay active. */
export function once(act: (scene: Scene) => unknown): Plant {
  return (scene) => {
    act(scene);
    return undefined;
  };
}

/** Whether a link of another plant leads away from the folder of a path, where we ourselves would change something. */
export function isBehindLink(path: string): boolean {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return realpathSync(folder) !== folder;
}
