import { isUserId, toUserId, toUserSource } from '../../domain/saved/user-note-ids.js';
import type { ChunkDetails } from '../sources/chunk-details.js';
import { notesOfBoth, readingOfBoth } from './notes-of-both.js';
import { type SearchOfBothDeps, searchOfBoth } from './search-of-both.js';
import { withShownNames } from './shown-names.js';
import type { CoveredUseCases, UserNotes } from './user-notes.js';

/** Makes the use cases of a project also cover user notes. */
export function withUserNotes(
  own: CoveredUseCases,
  user: UserNotes,
  deps: SearchOfBothDeps,
): CoveredUseCases {
  return {
    notes: notesOfBoth(own.notes, user),
    noteReading: readingOfBoth(own.noteReading, user),
    search: searchOfBoth(own.search, user, deps),
    sources: sourcesOfBoth(own.sources, user),
  };
}

type Sources = CoveredUseCases['sources'];

/** Shows chunks and lines of a project or, by id, of user notes. Lists and deletes only sources of the project. */
function sourcesOfBoth(own: Sources, user: UserNotes): Sources {
  const { projectPath } = user;
  const sources = () => {
    user.prepare();
    return user.open().sources;
  };
  const findLines: Sources['findLines'] = async ({ ids, ...request }) => {
    const wanted = ids.filter(isUserId).map(toUserSource);
    const lines = await own.findLines({ ...request, ids });
    if (wanted.length === 0) return lines;
    const userLines = (await sources().findLines({ projectPath, ids: wanted })).values();
    return ids.map((id, i) => (isUserId(id) ? userLines.next().value : lines[i]));
  };
  return {
    list: (request) => own.list(request),
    skipped: (request) => own.skipped(request),
    delete: (request) => own.delete(request),
    findLines: findLines,
    located: async (path, results) => {
      const ids = results.map(({ chunk }) => chunk.id);
      const lines = await findLines({ projectPath: path, ids });
      return results.map((result, i) => ({ ...result, line: lines[i] }));
    },
    lines: async (request) => {
      if (!isUserId(request.sourceFile)) return own.lines(request);
      const sourceFile = toUserSource(request.sourceFile);
      const names = new Map([[sourceFile, request.sourceFile]]);
      const reading = sources().lines({ ...request, projectPath, sourceFile });
      const lines = await withShownNames(names, reading);
      return { ...lines, sourceFile: toUserId(lines.sourceFile) };
    },
    chunk: async (request) =>
      isUserId(request.id)
        ? toShownChunk(await sources().chunk({ projectPath, id: toUserSource(request.id) }))
        : own.chunk(request),
  };
}

function toShownChunk(details: ChunkDetails): ChunkDetails {
  const { chunk, neighbours, supersededBy } = details;
  const named = <Piece extends { readonly id: string; readonly sourceFile: string }>(
    piece: Piece,
  ) => ({ ...piece, id: toUserId(piece.id), sourceFile: toUserId(piece.sourceFile) });
  return {
    ...details,
    chunk: named(chunk),
    neighbours: neighbours.map(named),
    ...(supersededBy !== undefined && { supersededBy: toUserId(supersededBy) }),
  };
}
