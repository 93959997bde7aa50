import * as z from 'zod';
import { DOCUMENT_CONTENT_MAX_CHARACTERS } from '../domain/limits.js';
import {
  DOCUMENT_PATH_RULE,
  isDocumentPath,
  isPageUrl,
  PAGE_URL_RULE,
} from '../domain/saved/saved-names.js';
import { EPIC_ID_MAX_CHARACTERS, isEpicId } from '../domain/saved/saved-text.js';
import type { Request } from './checks.js';
import { categoryName, count, importance, projectPath, tags, text, textWith } from './fields.js';

/** Web pages, digests and pushed documents (docs/specification.md, "Knowledge in"). */

const chunks = count('Number of its chunks in the index.');

export const pageRequest = z.object({
  projectPath,
  url: textWith(isPageUrl, PAGE_URL_RULE)
    .describe('Address of a public web page, http or https, without a user name or password.')
    .meta({ examples: ['https://example.org/'] }),
  tags: tags.exactOptional(),
  importance: importance.exactOptional(),
});

export type PageRequest = Request<typeof pageRequest>;

export const savedPage = z.object({
  sourceFile: z.string().describe('The file that holds the page.'),
  title: z.string().describe('Title of the page.'),
  chunks,
  changed: z.boolean().describe('Whether its title or text has changed.'),
});

export const digestRequest = z.object({
  projectPath,
  category: categoryName.exactOptional(),
  epicId: textWith(isEpicId, `must be a text of 1 to ${EPIC_ID_MAX_CHARACTERS} characters`)
    .describe('Id of the epic whose reflections are summarized.')
    .exactOptional(),
});

export type DigestRequest = Request<typeof digestRequest>;

export const digest = z.object({
  sourceFile: z.string().describe('Path of the digest, relative to the project.'),
  chunks,
  sources: z.array(z.string()).describe('The source files that it summarizes.'),
});

export const documentRequest = z.object({
  projectPath,
  path: textWith(isDocumentPath, DOCUMENT_PATH_RULE)
    .describe('Path of its file in the folder "documents"; ".md" is added if it has no extension.')
    .meta({ examples: ['docs/guide.md'] }),
  content: text
    .refine(({ length }) => length <= DOCUMENT_CONTENT_MAX_CHARACTERS, {
      error: `must have at most ${DOCUMENT_CONTENT_MAX_CHARACTERS} characters`,
    })
    .describe('The document, in Markdown.'),
  tags: tags.describe('Tags of every chunk; default: those in the frontmatter.').exactOptional(),
  importance: importance
    .describe(
      'Importance of every chunk, 0 to 1; default: from the frontmatter, else from the settings.',
    )
    .exactOptional(),
});

export type DocumentRequest = Request<typeof documentRequest>;

export const pushedDocument = z.object({
  sourceFile: z.string().describe('Its file, relative to the project.'),
  chunks,
});
