import { z } from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import type { DocumentsService } from '../../../ports/driving/documents-service.js';
import { importance, oneOf, projectPath, tags, text, textFor } from '../../../schemas/fields.js';
import { Created, type Route, route, STORE_ERRORS } from './route.js';

/** Documents that are pushed (docs/api.md, "Extensions of the hybrid variant"). */
export function documentRoutes(documents: DocumentsService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/knowledge/x/documents',
      operationId: 'pushDocument',
      summary: 'Stores a document that the service cannot read from a file.',
      request: documentRequest,
      response: documentResponse,
      created: documentResponse,
      errors: [...STORE_ERRORS, 'conflict'],
      handle: async ({ projectPath, ...document }) => {
        const { isNew, ...report } = await documents.pushDocument(projectPath, document);
        return isNew ? new Created(report) : report;
      },
    }),
  ];
}

const documentRequest = z.object({
  projectPath,
  path: textFor(FIELDS.path)
    .describe('Path of the document, relative to the project; nothing is written there.')
    .meta({ examples: ['docs/guide.md'] }),
  sourceType: oneOf(FIELDS.pushedType)
    .describe('Source type of the document; default "file".')
    .exactOptional(),
  content: text.describe('The document, in markdown.'),
  title: text
    .describe('Heading of chunks without one; default: the first "#" title.')
    .exactOptional(),
  tags: tags.describe('Tags of every chunk; default: those of the frontmatter.').exactOptional(),
  importance: importance
    .describe(
      'Importance of every chunk, 0 to 1; default: that of the frontmatter, else a setting.',
    )
    .exactOptional(),
});

const documentResponse = z.object({
  sourceFile: z.string().describe('The path of the document.'),
  chunks: z.int().min(0).describe('How many chunks the index holds of it.'),
  changed: z.boolean().describe('Whether it is another one than before; true for a new one.'),
});
