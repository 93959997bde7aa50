import { parse, stringify, YAMLParseError } from 'yaml';

/**
 * Parses YAML, leaving every scalar a string: `1.10` does not become a number.
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

/** Writes a value as YAML, with each string on one line. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
