export const CATEGORY_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

export const CATEGORY_NAME_MAX_CHARACTERS = 64;

/** The rule as the end of a sentence: "category must be …". */
export const CATEGORY_NAME_RULE = `a name of letters from A to Z, digits, "-" and "_" that begins with a letter or digit and has at most ${CATEGORY_NAME_MAX_CHARACTERS} characters`;

/** Whether a text may name a memory category; such a name is also a safe file name. */
export function isCategoryName(name: string): boolean {
  return name.length <= CATEGORY_NAME_MAX_CHARACTERS && CATEGORY_NAME_PATTERN.test(name);
}
