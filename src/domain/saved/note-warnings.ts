import { oneLine } from '../lessons/lesson-text.js';
import type { SecretKind } from '../redaction.js';
import { hasWrittenOutLines } from './received-text.js';

/** Asks whether a note should replace one of the similar notes. */
export function similarWarning(ids: readonly string[]): string | undefined {
  const names = ids.map((id) => oneLine(id, NAME_CHARACTERS));
  const [first, ...others] = names;
  if (first === undefined) return undefined;
  return others.length === 0
    ? `${first} is similar: check whether it says the same or the opposite. Replace it, or delete one of the two?`
    : `${names.join(', ')} are similar: check whether they say the same or the opposite. Replace or delete one of them?`;
}

/** Maximum length of a name in a sentence: a longer one from an untrusted repository could contain a message. */
export const NAME_CHARACTERS = 120;

/** Warns that a note seems to contain secrets. */
export function secretWarning(kinds: readonly SecretKind[]): string {
  return `The note seems to contain ${listKinds(kinds)}: if it is real, remove it from the note, because everyone who can read the project can read it.`;
}

/** Why a note was refused. */
export function secretRefusal(kinds: readonly SecretKind[]): string {
  return `Nothing was saved: the note seems to contain ${listKinds(kinds)}, which KNOWLEDGE_SECRETS=refuse forbids; save it without the secret.`;
}

function listKinds(kinds: readonly SecretKind[]): string {
  const named = kinds.map((kind) => (/^[aeiou]/i.test(kind) ? `an ${kind}` : `a ${kind}`));
  return named.length === 1
    ? (named[0] ?? '')
    : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** Warns that literal `\n` was read as line breaks; empty for any other text. */
export function lineEndWarnings(content = ''): readonly string[] {
  return hasWrittenOutLines(content) ? [WRITTEN_OUT_LINES] : [];
}

const WRITTEN_OUT_LINES =
  'The text had no line breaks, only literal \\n, which were read as line breaks; send real line breaks.';
