import type { SourceDocument } from '../../domain/chunks/chunk.js';
import type { Settings } from '../../domain/settings.js';
import type { Project } from '../projects/project.js';

/** Adds to the chunks of a document what they cite. */
export type Cite = (document: SourceDocument) => Promise<SourceDocument>;

/** Finds what chunks cite, when they are indexed. */
export interface Citing {
  /** For one ingestion, which looks at the files of the project once. */
  begin(project: Project, settings: Settings): Cite;
}

/** Null object for variants without citations. */
export const noCiting: Citing = { begin: () => async (document) => document };
