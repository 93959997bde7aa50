import { parseDocument } from 'yaml';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';

/** Frontmatter as YAML 1.2; aliases are bounded, custom tags are not known, nothing is run. */
export const yamlFrontmatterParser: FrontmatterParser = {
  parse(yaml) {
    try {
      const document = parseDocument(yaml, { logLevel: 'silent' });
      return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 });
    } catch {
      return undefined;
    }
  },
};
