import { parse, stringify, YAMLParseError } from 'yaml';

/**
 * The value of a YAML text, in which every scalar stays a string: `1.10` is not a number.
 * @throws Error with one sentence
 */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, { schema: 'failsafe' });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new Error((error.message.split('\n')[0] ?? '').replace(/:$/, '.'));
  }
}

/** A value as YAML, with each string on one line. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
