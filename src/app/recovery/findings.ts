import type { KnowledgeError } from '../../domain/errors.js';
import type { Leftover } from '../../ports/driven/leftovers.js';
import type { StoreProblem } from '../../ports/driven/store-care.js';

/** The store cannot be opened; the message of the error says why and what to do. */
export function unopened({ message }: KnowledgeError): StoreProblem {
  return {
    problem: `The knowledge store cannot be used: ${message}`,
    advice: 'Do what the sentence says, then ask again.',
    state: 'manual',
  };
}

/** Databases that were set aside because they are damaged, between two looks. */
export function setAsideProblems(
  before: readonly Leftover[],
  after: readonly Leftover[],
): readonly StoreProblem[] {
  const known = new Set(before.map(({ path }) => path));
  return after
    .filter(({ kind, path }) => kind === 'damaged' && !known.has(path))
    .map(({ path }) => ({
      problem: 'The database file was damaged.',
      advice: `It was set aside as ${path}, and the sources were read again.`,
      state: 'mended',
    }));
}

export function temporaryFiles(
  found: readonly Leftover[],
  state: 'mendable' | 'mended',
): readonly StoreProblem[] {
  const files = found.filter(({ kind }) => kind === 'temporary');
  if (files.length === 0) return [];
  const shown = files.slice(0, SHOWN_FILES).map(({ path }) => path);
  const others = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} others` : '';
  return [
    {
      problem: `Interrupted writes left ${files.length === 1 ? 'a temporary file' : 'temporary files'} behind: ${shown.join(', ')}${others}.`,
      advice: state === 'mended' ? 'They were deleted.' : 'A repair deletes them.',
      state,
    },
  ];
}

/** Copies that are kept because they may hold something that is found nowhere else. */
export function leftoverNotes(found: readonly Leftover[]): readonly string[] {
  return found
    .filter(({ kind }) => kind !== 'temporary')
    .map(
      ({ path, bytes, kind }) =>
        `${path} (${megabytes(bytes)}) is ${KINDS[kind]}; delete it if you do not need it any more.`,
    );
}

const SHOWN_FILES = 5;

const KINDS: Readonly<Record<Leftover['kind'], string>> = {
  temporary: 'a temporary file',
  damaged: 'a damaged database that was set aside',
  replaced: 'the log of a database that was moved away while it was in use',
};

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
