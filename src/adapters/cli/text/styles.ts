import colors from 'picocolors';

/** Marks text for a terminal, or leaves it as it is where there are no colors. */
export interface Styles {
  bold(text: string): string;
  dim(text: string): string;
  /** A source, an id, a command. */
  name(text: string): string;
  /** A word that the query asked for. */
  match(text: string): string;
}

export function stylesFor(hasColors: boolean): Styles {
  const { bold, dim, cyan, yellow } = colors.createColors(hasColors);
  return { bold, dim, name: cyan, match: (text) => bold(yellow(text)) };
}
