import { Composer, type CST, type Document, isScalar, Lexer, Parser, visit } from 'yaml';
import { FRONTMATTER_MAX_CHARACTERS } from '../../domain/limits.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { Logger } from '../../ports/logger.js';

/** Parses frontmatter as YAML 1.2. Logs and skips a text longer than {@link FRONTMATTER_MAX_CHARACTERS}. */
export class YamlFrontmatterParser implements FrontmatterParser {
  readonly #logger: Logger;
  /** Cache of the last text, because the frontmatter of a file is requested several times in a row. */
  #last = { yaml: '', value: parseFrontmatter('') };

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  parse(yaml: string, sourceFile: string): unknown {
    if (yaml.length > FRONTMATTER_MAX_CHARACTERS) {
      this.#logger.warn('The frontmatter of a file is too long and is ignored.', {
        sourceFile,
        characters: yaml.length,
        maxCharacters: FRONTMATTER_MAX_CHARACTERS,
      });
    }
    if (this.#last.yaml !== yaml) this.#last = { yaml, value: parseFrontmatter(yaml) };
    return this.#last.value;
  }
}

/**
 * Parses YAML 1.2. Undefined if the text is too long, nested more than 100 levels deep, or not YAML. The number of
 * aliases is limited, and custom tags are not resolved. A number or boolean that would be rewritten, such as the
 * version `1.10`, becomes a string, except in the entry `importance`.
 */
export function parseFrontmatter(yaml: string): unknown {
  if (yaml.length > FRONTMATTER_MAX_CHARACTERS) return undefined;
  try {
    const tokens = readTokens(yaml);
    if (tokens === undefined) return undefined;
    const [document] = new Composer(OPTIONS).compose(tokens, true, yaml.length);
    if (document === undefined || document.errors.length > 0) return undefined;
    keepAsWritten(document);
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

function keepAsWritten(document: Document): void {
  visit(document, {
    Pair: (_, { key }) => (isScalar(key) && key.value === 'importance' ? visit.SKIP : undefined),
    Scalar(_, scalar) {
      const isNumberOrBoolean =
        typeof scalar.value === 'number' || typeof scalar.value === 'boolean';
      if (
        isNumberOrBoolean &&
        scalar.source !== undefined &&
        String(scalar.value) !== scalar.source
      ) {
        scalar.value = scalar.source;
      }
    },
  });
}

/**
 * Returns the tokens of a YAML text; undefined if it is not YAML, or nested too deeply. The depth is limited here
 * because the composer and parts of the parser recurse: near the end of the stack, a regular expression may fail to
 * compile, which ends the process and cannot be caught.
 */
function readTokens(yaml: string): readonly CST.Token[] | undefined {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(yaml)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') return undefined;
      tokens.push(token);
    }
    if (parser.stack.length > MAX_DEPTH) return undefined;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

const MAX_DEPTH = 100;

/**
 * Checking for unique keys and formatting error messages would take quadratic time. The types of YAML 1.1 (`!!binary`
 * and others) are not resolved: base64 could spell a key that `mayHoldMetadata` does not see.
 */
const OPTIONS = {
  logLevel: 'silent',
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
} as const;
