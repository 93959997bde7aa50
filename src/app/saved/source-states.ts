import { readFrontmatter } from '../../domain/chunks/frontmatter.js';
import { isSessionPath } from '../../domain/project-layout.js';
import { isRecord } from '../../domain/records.js';
import { readText } from '../../domain/saved/note-dates.js';
import type { NoteState, SourceState } from '../../domain/saved/note-record.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { Project } from '../project.js';
import { readNote } from './note-files.js';
import type { SavedFiles } from './saved-files.js';

interface SourceStatesDeps {
  readonly saved: SavedFiles;
  readonly files: Pick<ProjectFileReader, 'readText'>;
  readonly frontmatter: FrontmatterParser;
  readonly appDirs: Pick<AppDirectories, 'of'>;
}

/** Reads the metadata of notes and sessions from their files. It is shown with their text. */
export class SourceStates {
  readonly #deps: SourceStatesDeps;

  constructor(deps: SourceStatesDeps) {
    this.#deps = deps;
  }

  /** The states of the readable notes and sessions among these sources, by source file. */
  async find(
    project: Pick<Project, 'path'>,
    sourceFiles: readonly string[],
  ): Promise<ReadonlyMap<string, SourceState>> {
    const states = new Map<string, SourceState>();
    for (const sourceFile of new Set(sourceFiles)) {
      const state = isSessionPath(this.#deps.appDirs.of(project.path), sourceFile)
        ? await this.#sessionState(project, sourceFile)
        : await this.#noteState(project, sourceFile);
      if (state !== undefined) states.set(sourceFile, state);
    }
    return states;
  }

  async #noteState(
    project: Pick<Project, 'path'>,
    sourceFile: string,
  ): Promise<NoteState | undefined> {
    const { saved } = this.#deps;
    const file = saved.fileAt(project, sourceFile);
    if (file?.sourceType !== 'manual') return undefined;
    const note = await readNote(saved, project, file.name);
    return note && { version: note.version, updated: note.updated };
  }

  async #sessionState({ path }: Pick<Project, 'path'>, sourceFile: string) {
    const { files, frontmatter } = this.#deps;
    const reading = await files.readText(path, sourceFile);
    if (reading === undefined || 'skipped' in reading) return undefined;
    const parse = (yaml: string) => frontmatter.parse(yaml, sourceFile);
    const { value: fields } = readFrontmatter(reading.text, parse);
    const agent = isRecord(fields) ? readText(fields['agent']) : undefined;
    return agent === undefined ? undefined : { agent };
  }
}
