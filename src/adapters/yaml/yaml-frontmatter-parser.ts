import { parseDocument } from 'yaml';
import { FRONTMATTER_MAX_CHARACTERS } from '../../domain/limits.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { Logger } from '../../ports/driven/logger.js';

/** Parses frontmatter as YAML 1.2. Logs and skips a text longer than {@link FRONTMATTER_MAX_CHARACTERS}. */
export class YamlFrontmatterParser implements FrontmatterParser {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  parse(yaml: string, sourceFile: string): unknown {
    if (yaml.length > FRONTMATTER_MAX_CHARACTERS) {
      this.#logger.warn(
        'The frontmatter of a file is too long; its tags and importance are ignored.',
        {
          sourceFile,
          characters: yaml.length,
          maxCharacters: FRONTMATTER_MAX_CHARACTERS,
        },
      );
    }
    return parseFrontmatter(yaml);
  }
}

/**
 * The value of a YAML 1.2 text; undefined if it is too long or not YAML. The number of aliases is limited, and
 * there are no custom tags.
 */
export function parseFrontmatter(yaml: string): unknown {
  if (yaml.length > FRONTMATTER_MAX_CHARACTERS) return undefined;
  try {
    const document = parseDocument(yaml, OPTIONS);
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/**
 * The check for unique keys and pretty error messages take quadratic time. The types of YAML 1.1 (`!!binary` and
 * others) are not resolved: base64 could spell a key that `mayHoldMetadata` does not see.
 */
const OPTIONS = {
  logLevel: 'silent',
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
} as const;
