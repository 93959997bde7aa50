import type { BodyOf } from '../../schemas/checks.js';
import type { lessonsResponse } from '../../schemas/lessons.js';
import type { knownNote, noteList, savedNote } from '../../schemas/notes.js';
import type { projectResult, shortResult } from '../../schemas/results.js';
import type { savedPage } from '../../schemas/saved.js';
import type { projectsResponse, readResponse, searchResponse } from '../../schemas/search.js';
import type { chunkResponse, staleResponse } from '../../schemas/sources.js';
import type { statusResponse } from '../../schemas/stats.js';
import type { pruneResponse } from '../../schemas/upkeep.js';

/** The bodies of the routes that commands read. */
export type SearchBody = BodyOf<typeof searchResponse>;
export type ReadBody = BodyOf<typeof readResponse>;
export type ProjectsBody = BodyOf<typeof projectsResponse>;
export type LessonsBody = BodyOf<typeof lessonsResponse>;
export type SimilarBody = Pick<LessonsBody, 'results'>;
export type StatusBody = BodyOf<typeof statusResponse>;
export type PruneBody = BodyOf<typeof pruneResponse>;
export type ChunkBody = BodyOf<typeof chunkResponse>;
export type NoteBody = BodyOf<typeof savedNote> | BodyOf<typeof knownNote>;
export type NotesBody = BodyOf<typeof noteList>;
export type PageBody = BodyOf<typeof savedPage>;
export type StaleBody = BodyOf<typeof staleResponse>;

/** A result, with what its route tells of it. */
export type ResultBody = BodyOf<typeof shortResult> &
  Partial<Pick<BodyOf<typeof projectResult>, 'citations' | 'stale'>>;
