import type { NoteState } from '../../domain/saved/note-record.js';
import type { Project } from '../project.js';
import { readNote } from './note-files.js';
import type { SavedFiles } from './saved-files.js';

/** Reads the versions and ages of notes from their files. */
export class NoteStates {
  readonly #saved: SavedFiles;

  constructor(saved: SavedFiles) {
    this.#saved = saved;
  }

  /** The states of those of these sources that are notes and can be read, by source file. */
  async find(
    project: Pick<Project, 'path'>,
    sourceFiles: readonly string[],
  ): Promise<ReadonlyMap<string, NoteState>> {
    const states = new Map<string, NoteState>();
    for (const sourceFile of new Set(sourceFiles)) {
      const file = this.#saved.fileAt(project, sourceFile);
      if (file?.sourceType !== 'manual') continue;
      const note = await readNote(this.#saved, project, file.name);
      if (note === undefined) continue;
      const { version, updated } = note;
      states.set(sourceFile, { version, updated });
    }
    return states;
  }
}
