import { parseDocument } from 'yaml';
import { FRONTMATTER_MAX_CHARACTERS } from '../../domain/limits.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { Logger } from '../../ports/driven/logger.js';

/** Frontmatter as YAML 1.2 of at most {@link FRONTMATTER_MAX_CHARACTERS}; more is reported in the log and not read. */
export class YamlFrontmatterParser implements FrontmatterParser {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  parse(yaml: string, sourceFile: string): unknown {
    if (yaml.length > FRONTMATTER_MAX_CHARACTERS) {
      this.#logger.warn(
        'The frontmatter of a file is too long; its tags and importance are not read.',
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

/** The value of YAML 1.2; undefined where it is too long or is not YAML. Aliases are bounded, and no custom tags exist. */
export function parseFrontmatter(yaml: string): unknown {
  if (yaml.length > FRONTMATTER_MAX_CHARACTERS) return undefined;
  try {
    const document = parseDocument(yaml, OPTIONS);
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** Comparing every key with every other, and a message for every error, take quadratic time. */
const OPTIONS = { logLevel: 'silent', uniqueKeys: false, prettyErrors: false } as const;
