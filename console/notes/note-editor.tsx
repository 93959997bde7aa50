import { useState } from 'preact/hooks';
import { call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { useAction } from '../shared/use-action.js';

interface NoteEditorProps {
  readonly project: string;
  /** Absent for a note that does not exist yet. */
  readonly sourceFile: string | undefined;
  readonly onSaved: (sourceFile: string) => void;
  readonly onDeleted: () => void;
}

/** The text of a note. */
export function NoteEditor({ sourceFile, ...rest }: NoteEditorProps) {
  const { project } = rest;
  const { data, error } = useLoad({
    key: sourceFile && `${project} ${sourceFile}`,
    load: (signal) =>
      call(
        'GET /api/knowledge/x/lines',
        { projectPath: project, sourceFile: sourceFile ?? '' },
        signal,
      ),
  });
  if (sourceFile === undefined) return <NoteForm {...rest} title="" content="" />;
  if (data === undefined) return <Failure error={error} />;
  return <NoteForm {...rest} id={idOf(sourceFile)} {...partsOf(data.text)} />;
}

interface NoteFormProps extends Omit<NoteEditorProps, 'sourceFile'> {
  readonly id?: string;
  readonly title: string;
  /** With the frontmatter, without the title. */
  readonly content: string;
}

function NoteForm({ project, id, onSaved, onDeleted, ...note }: NoteFormProps) {
  const [title, setTitle] = useState(note.title);
  const [content, setContent] = useState(note.content);
  const fields = { projectPath: project, title, content };
  const saving = useAction(async () => {
    const saved =
      id === undefined
        ? await call('POST /api/knowledge/x/notes', { ...fields, force: true })
        : await call('PUT /api/knowledge/x/notes/{id}', { ...fields, id });
    if ('sourceFile' in saved) onSaved(saved.sourceFile);
    return saved;
  });
  const deleting = useAction(async () => {
    await call('DELETE /api/knowledge/x/notes/{id}', { projectPath: project, id: id ?? '' });
    onDeleted();
  });
  const save = (event: Event) => {
    event.preventDefault();
    void saving.run();
  };
  const isBlank = title.trim() === '' || content.trim() === '';
  return (
    <form class="panel stack" onSubmit={save}>
      <h2>{id === undefined ? 'New note' : id}</h2>
      <label class="field">
        <span>Title</span>
        <input value={title} onInput={({ currentTarget }) => setTitle(currentTarget.value)} />
      </label>
      <label class="field">
        <span>Text, as Markdown</span>
        <textarea
          rows={16}
          value={content}
          onInput={({ currentTarget }) => setContent(currentTarget.value)}
        />
      </label>
      <Failure error={saving.error ?? deleting.error} />
      {saving.result && (
        <p class="notice good" role="status">
          Saved. Searches find it now.
        </p>
      )}
      <div class="row">
        <button type="submit" class="strong" disabled={isBlank || saving.isRunning}>
          Save
        </button>
        {id !== undefined && (
          <Confirmed
            action="Delete the note"
            consequence="The file of the note will be deleted, and searches no longer find it."
            disabled={deleting.isRunning}
            onConfirm={deleting.run}
          />
        )}
      </div>
    </form>
  );
}

function idOf(sourceFile: string): string {
  return sourceFile.replace(/^.*\//, '').replace(/\.md$/, '');
}

/** The first `#` heading behind the frontmatter, and the text without it. */
function partsOf(text: string): { readonly title: string; readonly content: string } {
  const [, frontmatter = '', title = '', body = text] = FILE.exec(text) ?? [];
  return { title: title.trim(), content: frontmatter + body.trimStart() };
}

const FILE = /^(---\r?\n[\s\S]*?\r?\n---\r?\n)?\s*# (.*)([\s\S]*)$/;
