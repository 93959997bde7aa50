/** The names of memory categories, which are also file names: `<appdir>/memory/<name>.md`. */
export const CATEGORY_NAME_MAX_CHARACTERS = 64;

const CATEGORY_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The second half of a sentence that begins with the name of the field. */
export const CATEGORY_NAME_RULE = `must be at most ${CATEGORY_NAME_MAX_CHARACTERS} letters, digits, "_" and "-", and begin with a letter or digit`;

export function isCategoryName(name: string): boolean {
  return name.length <= CATEGORY_NAME_MAX_CHARACTERS && CATEGORY_NAME_PATTERN.test(name);
}

/** The name, without `.md`, of the history file for the text of a category replaced at `time`. */
export function historyName(category: string, time: Date): string {
  return `${category}-${time.toISOString().replaceAll(':', '-')}`;
}
