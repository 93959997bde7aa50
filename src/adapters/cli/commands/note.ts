import type { Command } from 'commander';
import type { KnownNote, SavedNote } from '../../../ports/driving/notes-service.js';
import type { Runner } from '../runner.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted, printableLine } from '../text/format.js';
import {
  collected,
  type Declare,
  examples,
  WRITES,
  withProjectOptions,
} from './project-command.js';

interface NoteOptions extends ProjectOptions {
  readonly tag?: readonly string[];
  readonly importance?: number;
  readonly supersedes?: string;
}

interface NewNoteOptions extends NoteOptions {
  readonly id?: string;
  readonly force?: true;
}

type ReplaceArguments = readonly [string, string, readonly string[], NoteOptions];

/** `note`: adding, replacing and deleting notes. */
const note: Declare = (command, { runner }) => {
  command.description(
    'Notes are markdown files in the folder notes of the application directory. A keyword search finds a note at once; its vector is made by a running service or the next ingest.',
  );
  addAdd(command, runner);
  addReplace(command, runner);
  addDelete(command, runner);
};

export const commands = { note };

/** `note add`: `POST /api/knowledge/x/notes`. */
function addAdd(note: Command, runner: Runner): void {
  withNoteOptions(note.command('add'))
    .summary('save a note')
    .description('Saves a note, unless the store already says the same.')
    .argument('<title>', 'its title')
    .argument('<text...>', 'its text in markdown, or - for standard input')
    .option('--id <id>', 'name of its file without .md; default: made from the title')
    .option('--force', 'save it even if the store already says the same')
    .addHelpText(
      'after',
      examples(
        'note add "Write lock" "Writers wait 15 s for it." --tag sqlite',
        'note add "Release" - < release.md',
      ),
    )
    .action((title: string, words: readonly string[], options: NewNoteOptions) =>
      runner.run(options, WRITES, async (session) => {
        const { id, force } = options;
        const fields = { ...(await noteFields(session, words, options)), title, id, force };
        const body = await session.call<SavedNote | KnownNote>(
          'POST /api/knowledge/x/notes',
          fields,
        );
        await session.print(body, addedText);
        if (session.showsText && !('duplicateOf' in body)) session.note(BY_WORDS);
      }),
    );
}

const BY_WORDS =
  'Searches find it by its words now, and by its meaning after the next "knowledge-store ingest" or while a service runs.';

/** `note replace`: `PUT /api/knowledge/x/notes/{id}`. */
function addReplace(note: Command, runner: Runner): void {
  withNoteOptions(note.command('replace'))
    .summary('replace a note')
    .description('Replaces a note; options that are left out are gone.')
    .argument('<id>', 'name of its file, without .md')
    .argument('<title>', 'its new title')
    .argument('<text...>', 'its new text in markdown, or - for standard input')
    .addHelpText('after', examples('note replace write-lock "Write lock" "Writers wait 20 s."'))
    .action((...[id, title, words, options]: ReplaceArguments) =>
      runner.run(options, WRITES, async (session) => {
        const fields = { ...(await noteFields(session, words, options)), title, id };
        const body = await session.call<SavedNote>('PUT /api/knowledge/x/notes/{id}', fields);
        await session.print(body, addedText);
      }),
    );
}

/** `note delete`: `DELETE /api/knowledge/x/notes/{id}`. */
function addDelete(note: Command, runner: Runner): void {
  withProjectOptions(note.command('delete'))
    .summary('delete a note')
    .description('Deletes the file of a note and its chunks.')
    .argument('<id>', 'name of its file, without .md')
    .addHelpText('after', examples('note delete write-lock'))
    .action((id: string, options: ProjectOptions) =>
      runner.run(options, WRITES, async (session) => {
        const body = await session.call<{ readonly deleted: number }>(
          'DELETE /api/knowledge/x/notes/{id}',
          { id },
        );
        await session.print(body, ({ deleted }) => `${counted(deleted, 'chunk')} deleted.`);
      }),
    );
}

function withNoteOptions(command: Command): Command {
  return withProjectOptions(command)
    .option('--tag <tag>', 'a tag, repeatable', collected)
    .option('--importance <number>', 'from 0 to 1 (default: 0.5)', Number)
    .option('--supersedes <id>', 'the note that this one replaces in searches');
}

async function noteFields(
  { terminal }: Session,
  words: readonly string[],
  { tag: tags, importance, supersedes }: NoteOptions,
) {
  const text = words.join(' ');
  const content = text === '-' ? await terminal.readInput() : text;
  return { content, tags, importance, supersedes };
}

function addedText(body: SavedNote | KnownNote): string {
  return 'duplicateOf' in body
    ? `Nothing was saved: ${printableLine(body.duplicateOf)} already says the same. To save it anyway, add --force.`
    : `Saved as ${printableLine(body.sourceFile)}.`;
}
