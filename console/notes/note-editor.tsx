import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import type { FullNote } from './draft.js';
import { NoteForm, type NoteFormProps } from './note-form.js';

interface NoteEditorProps extends Omit<NoteFormProps, 'note'> {
  /** Absent for a note that does not exist yet. */
  readonly sourceFile: string | undefined;
}

/** Loads a note and shows it in a form. */
export function NoteEditor({ sourceFile, ...rest }: NoteEditorProps) {
  const { project } = rest;
  const { data, error } = useLoad<FullNote>({
    key: sourceFile && `${project} ${sourceFile}`,
    load: (signal) =>
      call(
        'GET /api/knowledge/x/notes/{id}',
        { projectPath: project, id: sourceFile ?? '' },
        signal,
      ),
  });
  if (sourceFile === undefined) return <NoteForm {...rest} note={undefined} />;
  if (data === undefined) return <Failure error={error} />;
  return <NoteForm {...rest} note={data} />;
}
