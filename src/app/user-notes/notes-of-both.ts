import { invalidRequest } from '../../domain/errors.js';
import { isUserId, toUserId, withoutUser } from '../../domain/saved/user-note-ids.js';
import type { Answer } from '../../schemas/checks.js';
import type { AddNoteRequest, savedNote } from '../../schemas/notes.js';
import { withShownNames } from './shown-names.js';
import type { CoveredUseCases, UserNotes } from './user-notes.js';

type Notes = CoveredUseCases['notes'];
type Reading = CoveredUseCases['noteReading'];

/** Notes of the project or of the user, depending on id or scope. */
export function notesOfBoth(own: Notes, user: UserNotes): Notes {
  const target = () => {
    user.prepare();
    return user.open().notes;
  };
  return {
    add: async (request) => {
      if (!isForUser(request)) return own.add(request);
      const { scope: _, ...note } = request;
      const saved = await asShown(note, target().add(toOwnStore(user, note)));
      return 'duplicateOf' in saved
        ? { duplicateOf: toUserId(saved.duplicateOf) }
        : toShownNote(saved);
    },
    replace: async (request) =>
      isUserId(request.id)
        ? toShownNote(await asShown(request, target().replace(toOwnStore(user, request))))
        : own.replace(request),
    change: async (request) =>
      isUserId(request.id)
        ? toShownNote(await asShown(request, target().change(toOwnStore(user, request))))
        : own.change(request),
    delete: async (request) =>
      isUserId(request.id)
        ? asShown(request, target().delete(toOwnStore(user, request)))
        : own.delete(request),
  };
}

export function readingOfBoth(own: Reading, user: UserNotes): Reading {
  const reading = () => {
    user.prepare();
    return user.open().noteReading;
  };
  return {
    list: async (request) => {
      if (request.scope !== 'user') return own.list(request);
      if (!user.exist()) return [];
      return (await reading().list({ projectPath: user.projectPath })).map(toListed);
    },
    get: async (request) =>
      isUserId(request.id)
        ? toListed(await asShown(request, reading().get(toOwnStore(user, request))))
        : own.get(request),
  };
}

function asShown<T>({ id, supersedes }: NamingNotes, work: Promise<T>): Promise<T> {
  const given = [id, supersedes].filter((name) => name !== undefined);
  const names = given.map(withoutUser).map((name) => [name, toUserId(name)] as const);
  return withShownNames(new Map(names), work);
}

/** Whether a new note is for the user. @throws KnowledgeError `invalid_request` for a user id in a project note */
function isForUser({ id, scope }: AddNoteRequest): boolean {
  const isNamed = id !== undefined && isUserId(id);
  if (isNamed && scope === 'project') {
    throw invalidRequest('id must not begin with "user:" in a project note.');
  }
  return isNamed || scope === 'user';
}

interface NamingNotes {
  readonly projectPath: string;
  readonly id?: string | undefined;
  readonly supersedes?: string | undefined;
}

function toOwnStore<Request extends NamingNotes>(user: UserNotes, request: Request): Request {
  const { id, supersedes } = request;
  return {
    ...request,
    projectPath: user.projectPath,
    ...(id !== undefined && { id: withoutUser(id) }),
    ...(supersedes !== undefined && { supersedes: withoutUser(supersedes) }),
  };
}

function toShownNote(saved: Answer<typeof savedNote>): Answer<typeof savedNote> {
  const { id, sourceFile, similarTo } = saved;
  const shown = { ...saved, id: toUserId(id), sourceFile: toUserId(sourceFile) };
  if (similarTo === undefined) return shown;
  return {
    ...shown,
    similarTo: similarTo.map((one) => ({
      ...one,
      id: toUserId(one.id),
      sourceFile: toUserId(one.sourceFile),
    })),
  };
}

interface ListedNote {
  readonly id: string;
  readonly sourceFile: string;
  readonly supersededBy?: string | undefined;
  readonly scope: 'project' | 'user';
}

function toListed<Note extends ListedNote>(note: Note): Note {
  const { id, sourceFile, supersededBy } = note;
  return {
    ...note,
    id: toUserId(id),
    sourceFile: toUserId(sourceFile),
    scope: 'user',
    ...(supersededBy !== undefined && { supersededBy: toUserId(supersededBy) }),
  };
}
