import { formatCount } from '../../../domain/figures.js';
import { isUserId, toUserId } from '../../../domain/saved/user-note-ids.js';
import type { NoteBody, NotesBody, PageBody } from '../bodies.js';
import type { Fields } from '../command-line-parts.js';
import { findableByMeaning } from '../model-readiness.js';
import type { Needs, Session } from '../session.js';
import { printableLine } from '../text/format.js';
import { argument, type CommandGroup, type ProjectCommand, printing } from './command.js';

const NOTE_OPTIONS = ['tags', 'importance', 'supersedes', 'expires'] as const;
const NOTE_TEXT = argument('<text...>', 'content', 'its text in markdown, or - for standard input');
const NOTE_ID = argument(
  '<id>',
  'id',
  'name of its file, without .md; user:<id> for a note of your own',
);
const OF_USER = [['--user', 'use your own notes, which apply to all projects']] as const;

export const note: CommandGroup = {
  name: 'note',
  summary: 'save and edit notes',
  description:
    'Notes are markdown files in the folder notes of the application directory. Keyword search finds a note immediately. Search by meaning finds it shortly afterwards or, without the local service, after "knowledge-store ingest --wait".',
  commands: [
    {
      name: 'add',
      summary: 'save a note, unless the same text is already stored',
      arguments: [argument('<title>', 'title', 'its title'), NOTE_TEXT],
      fields: [...NOTE_OPTIONS, 'author', 'id', 'force'],
      options: OF_USER,
      needs: (given) => ({ model: 'installed', ...ofUser(given) }),
      examples: [
        'note add "Write lock" "Writers wait 15 s for it." --tag sqlite',
        'note add "Release" - < release.md',
      ],
      work: async (session, given) => {
        const body = await session.call('POST /api/knowledge/x/notes', withScope(given));
        await session.print(body, noteText);
        if (session.showsText && 'chunks' in body && body.chunks > 0 && !body.expired)
          session.note(await searchability(session));
      },
    },
    {
      name: 'list',
      summary: 'list the notes, newest first',
      options: OF_USER,
      needs: ofUser,
      examples: ['note list --json', 'note list --user'],
      work: (session, given) => listNotes(session, withScope(given)),
    },
    {
      name: 'replace',
      summary: 'replace a note; properties that you omit stay as they are',
      arguments: [NOTE_ID, argument('<title>', 'title', 'its new title'), NOTE_TEXT],
      fields: [...NOTE_OPTIONS, 'ifVersion'],
      options: OF_USER,
      needs: ofUser,
      examples: ['note replace write-lock "Write lock" "Writers wait 20 s."'],
      work: (session, given) => changeNote(session, withUserId(given)),
    },
    {
      name: 'append',
      summary: 'add a paragraph at the end of a note',
      arguments: [
        NOTE_ID,
        argument('<text...>', 'append', 'the paragraph in markdown, or - for standard input'),
      ],
      fields: [...NOTE_OPTIONS, 'ifVersion'],
      options: OF_USER,
      needs: ofUser,
      examples: ['note append write-lock "A hook that holds it longer is killed."'],
      work: (session, given) => changeNote(session, withUserId(given)),
    },
    {
      name: 'delete',
      summary: 'delete a note and its file',
      arguments: [NOTE_ID],
      fields: ['ifVersion'],
      options: OF_USER,
      needs: ofUser,
      examples: ['note delete write-lock'],
      work: (session, given) => deleteNote(session, withUserId(given)),
    },
  ],
};

const listNotes = printing('GET /api/knowledge/x/notes', notesText);
const changeNote = printing('PATCH /api/knowledge/x/notes/{id}', noteText);

async function deleteNote(session: Session, given: Fields): Promise<void> {
  const body = await session.call('DELETE /api/knowledge/x/notes/{id}', given);
  await session.print(body, () => printableLine(`The note ${given['id']} was deleted.`));
}

/** Commands on the user's own notes need no project. */
function ofUser({ user, id }: Fields): Needs {
  const isOfUser = user === true || (typeof id === 'string' && isUserId(id));
  return isOfUser ? { access: 'user' } : {};
}

function withScope(given: Fields): Fields {
  return given['user'] === true ? { ...given, scope: 'user' } : given;
}

function withUserId({ user, ...given }: Fields): Fields {
  const { id } = given;
  return user === true && typeof id === 'string' && !isUserId(id)
    ? { ...given, id: toUserId(id) }
    : given;
}

async function searchability(session: Session): Promise<string> {
  return `Keyword search finds it now; search by meaning ${await findableByMeaning(session)}.`;
}

function notesText({ notes }: NotesBody): string {
  if (notes.length === 0) return 'There are no notes yet.';
  return notes.map(noteLine).join('\n');
}

function noteLine({ id, title, updated, ...marks }: NotesBody['notes'][number]): string {
  const { expires, supersededBy, stale } = marks;
  const shown = [
    updated.slice(0, 'yyyy-mm-dd'.length),
    printableLine(id),
    printableLine(title),
    ...(expires === undefined ? [] : [`(expires ${expires})`]),
    ...(supersededBy === undefined ? [] : [`(replaced by ${printableLine(supersededBy)})`]),
    ...(stale === true ? ['(stale)'] : []),
  ];
  return shown.join('  ');
}

function noteText(body: NoteBody): string {
  if ('duplicateOf' in body) {
    return `Nothing was saved: ${printableLine(body.duplicateOf)} says the same, word for word. To save it anyway, add --force.`;
  }
  const { sourceFile, similarTo = [], warnings = [], expired } = body;
  const similar = similarTo.map(({ sourceFile: file, line, text }) => {
    return `  ${printableLine(file)}:${line}  ${printableLine(text)}`;
  });
  const left = expired ? ' It has expired, so searches leave it out.' : '';
  const saved = `Saved as ${printableLine(sourceFile)}.${left}`;
  return [saved, ...warnings.map((warning) => printableLine(warning)), ...similar].join('\n');
}

export const page: ProjectCommand = {
  name: 'page',
  summary: 'save the text of a web page',
  description:
    'Fetches a public web page and saves its main text. This is off by default; to turn it on, set KNOWLEDGE_FETCH=1.',
  arguments: [argument('<url>', 'url', 'its address')],
  fields: ['tags', 'importance'],
  examples: ['page https://www.sqlite.org/wal.html --tag sqlite'],
  work: printing('POST /api/knowledge/x/urls', savedText),
};

function savedText({ sourceFile, chunks }: PageBody): string {
  return `Saved as ${printableLine(sourceFile)}: ${formatCount(chunks, 'chunk')}.`;
}
