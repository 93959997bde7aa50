import type { ApiBody } from '../../app/routes/api.js';
import type { BodyOf } from '../../schemas/checks.js';
import type { projectResult, readResult, shortResult } from '../../schemas/results.js';

/** The response bodies that commands pass to functions. */
export type ReadBody = ApiBody<'POST /api/knowledge/x/search'>;
export type ProjectsBody = ApiBody<'POST /api/knowledge/x/search-projects'>;
export type LessonsBody = ApiBody<'POST /api/knowledge/x/lessons'>;
export type SimilarBody = ApiBody<'POST /api/knowledge/x/similar'>;
export type StatusBody = ApiBody<'GET /api/knowledge/x/status'>;
export type PruneBody = ApiBody<'POST /api/knowledge/x/prune'>;
export type NoteBody = ApiBody<'POST /api/knowledge/x/notes'>;
export type NotesBody = ApiBody<'GET /api/knowledge/x/notes'>;
export type PageBody = ApiBody<'POST /api/knowledge/x/urls'>;
export type StaleBody = ApiBody<'GET /api/knowledge/x/stale'>;

/** A result, including the keys that its route adds. */
export type ResultBody = BodyOf<typeof shortResult> &
  Partial<Pick<BodyOf<typeof projectResult>, 'citations' | 'stale'>> &
  Pick<BodyOf<typeof readResult>, 'updated' | 'agent' | 'said'>;
