import { bigramText } from '../bigrams.js';
import { HEADER_MAX_CHARACTERS } from '../limits.js';
import { namedPath } from '../project-layout.js';
import { mixedCaseParts, takeHead } from '../text.js';

/** Title, aliases and description of a file. */
export interface SourceNames {
  /** The title of the frontmatter, else the first `#` heading. */
  readonly title?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

/** A source, and the names by which searches find it in addition to its text. */
interface NamedSource {
  readonly sourceFile: string;
  readonly names?: SourceNames | undefined;
}

/**
 * The words by which searches find every chunk of a source: those of its names and of its path, without extension and
 * folders of the application directory. Mixed-case words are included as a whole and in parts.
 */
export function nameWords({ sourceFile, names = {} }: NamedSource): string {
  const { title = '', aliases = [], description = '' } = names;
  const path = pathWithoutEnding(sourceFile);
  return bigramText([title, ...aliases, description, path, ...partsOfWords(path)].join('\n'));
}

/** The short text whose vector is added to the chunk vectors; empty if the names contain no words. */
export function headerText({ sourceFile, names = {} }: NamedSource): string {
  const { title = '' } = names;
  const path = HOLDS_WORDS.test(pathWithoutEnding(sourceFile)) ? namedPath(sourceFile) : '';
  const lines = [HOLDS_WORDS.test(title) ? title : '', path].filter((line) => line !== '');
  return takeHead(lines.join('\n').toWellFormed(), HEADER_MAX_CHARACTERS);
}

const HOLDS_WORDS = /\p{L}{2}/u;

function pathWithoutEnding(sourceFile: string): string {
  return namedPath(sourceFile).replace(/(?<=[^/])\.[A-Za-z0-9]{1,8}$/, '');
}

function partsOfWords(path: string): readonly string[] {
  const words = path.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .map(mixedCaseParts)
    .filter((parts) => parts.length > 1)
    .flat();
}
