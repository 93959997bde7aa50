/**
 * Reads a set of bytes in a git pattern, such as `[!a-c]` or `[[:digit:]_]`, as git does. `start` is behind its opening
 * bracket. Undefined if the set is not closed or has an unknown class. The slash is never a member.
 */
export function readGitSet(
  pattern: string,
  start: number,
): { readonly members: ReadonlySet<number>; readonly next: number } | undefined {
  const isNegated = /[!^]/.test(pattern.charAt(start));
  const first = isNegated ? start + 1 : start;
  const named = new Set<number>();
  let at = first;
  // A closing bracket in the first position is a member.
  while (at === first || pattern.charAt(at) !== ']') {
    const member = memberAt(pattern, at);
    if (member === undefined) return undefined;
    for (const byte of BYTES) if (member.holds(byte)) named.add(byte);
    at += member.length;
  }
  const members = BYTES.filter((byte) => byte !== SLASH && named.has(byte) !== isNegated);
  return { members: new Set(members), next: at + 1 };
}

export const SLASH = 0x2f;
const BYTES = Array.from({ length: 256 }, (_, byte) => byte);
/** Every byte except the slash. */
export const ANY_BYTE: ReadonlySet<number> = new Set(BYTES.filter((byte) => byte !== SLASH));

interface Member {
  readonly length: number;
  readonly holds: (byte: number) => boolean;
}

/** Matches a class, a byte, or a range of bytes; each byte may be escaped. */
const MEMBER =
  /\[:(?<name>[^\]]*):\]|(?:\\(.)|(?<from>[^\\]))(?:-(?!\])(?:\\(?<escaped>.)|(?<to>[^\\])))?/sy;

function memberAt(pattern: string, at: number): Member | undefined {
  MEMBER.lastIndex = at;
  const found = MEMBER.exec(pattern);
  if (found === null) return undefined;
  const { name, from = found[2] ?? '', escaped, to = escaped ?? from } = found.groups ?? {};
  const { length } = found[0];
  if (name === undefined) {
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
    return { length, holds: (byte) => byte === first || (first <= byte && byte <= last) };
  }
  const members = CLASSES.get(name);
  return members && { length, holds: (byte) => members.test(String.fromCharCode(byte)) };
}

/** The character classes that git knows. They contain only ASCII. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[a-zA-Z0-9]/],
  ['alpha', /[a-zA-Z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[^ -~\x80-\xff]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t-\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9a-fA-F]/],
]);
