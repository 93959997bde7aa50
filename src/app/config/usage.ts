import type { Field } from './field.js';
import { FIELDS } from './fields.js';

const NAME_WIDTH = 25;

/** The environment variables, one per line; `docs/configuration.md` has the details. */
export const VARIABLES_HELP = Object.values(FIELDS).map(lineOf).join('\n');

/** The text of `node dist/main.js --help`. */
export const USAGE = `knowledge-store: a per-project knowledge store for coding agents, over REST.

Usage: npm start            (or: knowledge-store serve)

Environment:
${VARIABLES_HELP}
`;

/** The default of a field as it would be written in the variable; undefined if there is no default. */
export function defaultTextOf({ defaultText, byDefault }: Field): string | undefined {
  return defaultText ?? byDefault?.toString();
}

function lineOf(field: Field): string {
  const byDefault = defaultTextOf(field);
  const end = byDefault === undefined ? '' : ` [default: ${byDefault}]`;
  return `  ${field.variable.padEnd(NAME_WIDTH)}${field.help}${end}`;
}
