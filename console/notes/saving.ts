import { useState } from 'preact/hooks';
import { type Answer, call, isRefused } from '../shared/api.js';
import { releaseUnsaved } from '../shared/unsaved.js';
import { useAction } from '../shared/use-action.js';
import {
  changesOf,
  type Draft,
  draftOf,
  EMPTY,
  type FullNote,
  isSame,
  mergeDraft,
} from './draft.js';

export type SavedNote = Answer<'PATCH /api/knowledge/x/notes/{id}'>;

interface NoteDraftOptions {
  readonly project: string;
  /** Absent for a note that does not exist yet. */
  readonly note: FullNote | undefined;
  readonly onSaved: (saved: SavedNote) => void;
  readonly onDeleted: () => void;
}

/** A change that someone else made to a note while it was edited. */
export interface Conflict {
  /** The note as it is now; absent if it was deleted. */
  readonly theirs: FullNote | undefined;
  /** The typed text. */
  readonly mine: Draft;
}

/** The state of a note in the editor. The typed text stays, whatever others do to the note. */
export function useNoteDraft({ project, note, onSaved, onDeleted }: NoteDraftOptions) {
  const [base, setBase] = useState(note);
  const [draft, setDraft] = useState(note ? draftOf(note) : EMPTY);
  const [conflict, setConflict] = useState<Conflict>();
  const before = base ? draftOf(base) : EMPTY;
  const projectPath = project;

  /** Handles a conflict: loads the current note and merges the draft into it. Rethrows any other error. */
  const meet = async (error: unknown) => {
    if (!isRefused(error, 'changed') && !isRefused(error, 'not_found')) throw error;
    const theirs = await read(project, note?.id ?? '');
    setConflict({ theirs, mine: draft });
    setBase(theirs);
    if (theirs) setDraft((typed) => mergeDraft(typed, before, draftOf(theirs)));
  };

  const saving = useAction(async () => {
    try {
      const saved = await save({ projectPath, draft, base, id: note?.id });
      setConflict(undefined);
      releaseUnsaved();
      if (note !== undefined) {
        const now = await read(project, saved.id);
        if (now) {
          // The version that was written, so that the next save detects later changes by others.
          setBase({ ...now, version: saved.version });
          setDraft((typed) => (typed === draft ? draftOf(now) : typed));
        }
      }
      onSaved(saved);
    } catch (error) {
      await meet(error);
    }
  });
  const deleting = useAction(async () => {
    const { id = '', version = '' } = base ?? {};
    try {
      await call('DELETE /api/knowledge/x/notes/{id}', { projectPath, id, ifVersion: version });
      releaseUnsaved();
      onDeleted();
    } catch (error) {
      await meet(error);
    }
  });
  return {
    base,
    draft,
    conflict,
    saving,
    deleting,
    isUnsaved: !isSame(draft, before),
    type: (typed: Partial<Draft>) => setDraft((last) => ({ ...last, ...typed })),
    settle: () => setConflict(undefined),
  };
}

async function read(project: string, id: string): Promise<FullNote | undefined> {
  try {
    return await call('GET /api/knowledge/x/notes/{id}', { projectPath: project, id });
  } catch (error) {
    if (isRefused(error, 'not_found')) return undefined;
    throw error;
  }
}

interface Saving {
  readonly projectPath: string;
  readonly draft: Draft;
  readonly base: FullNote | undefined;
  /** The note's former id, to be used again if the note was deleted meanwhile. */
  readonly id: string | undefined;
}

async function save({ projectPath, draft, base, id }: Saving): Promise<SavedNote> {
  if (base !== undefined) {
    const changes = { ...changesOf(draft, draftOf(base)), ifVersion: base.version };
    return call('PATCH /api/knowledge/x/notes/{id}', { projectPath, id: base.id, ...changes });
  }
  const { title, content } = draft;
  const given = { title, content, ...changesOf(draft, EMPTY), ...(id !== undefined && { id }) };
  const saved = await call('POST /api/knowledge/x/notes', { projectPath, ...given, force: true });
  if ('duplicateOf' in saved)
    throw new Error(`Not saved: the chunk ${saved.duplicateOf} has the same text.`);
  return saved;
}
