/**
 * A file name that none of the taken names has, regardless of case: `base`, or else `base` with the first free number,
 * as in `base-2`.
 * @param maxLength of the name with its number; `base` is cut where necessary
 */
export function freeName(
  base: string,
  taken: readonly string[],
  maxLength = Number.POSITIVE_INFINITY,
): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const name = `${base.slice(0, maxLength - suffix.length)}${suffix}`;
    if (!names.has(name)) return name;
  }
}
