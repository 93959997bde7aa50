import { z } from 'zod';
import type { PageService } from '../../../ports/driving/page-service.js';
import { importance, pageUrl, projectPath, tags } from '../../../schemas/fields.js';
import { Created, type Route, route, STORE_ERRORS } from './route.js';

/** Web pages as sources (docs/api.md, "Extensions of the hybrid variant"). */
export function pageRoutes(pages: PageService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/knowledge/x/urls',
      summary: 'Fetches a public web page and keeps its main text as a source.',
      request: pageRequest,
      response: pageResponse,
      created: pageResponse,
      errors: [...STORE_ERRORS, 'fetch_not_allowed', 'fetch_failed', 'not_readable'],
      handle: async ({ projectPath, ...page }) => {
        const { isNew, ...report } = await pages.savePage(projectPath, page);
        return isNew ? new Created(report) : report;
      },
    }),
  ];
}

const pageRequest = z.object({
  projectPath,
  url: pageUrl,
  tags: tags.exactOptional(),
  importance: importance.exactOptional(),
});

const pageResponse = z.object({
  sourceFile: z.string().describe('The file that the page is kept in.'),
  title: z.string().describe('Title of the page.'),
  chunks: z.int().min(0).describe('How many chunks the index holds of it.'),
  changed: z.boolean().describe('Whether its title or text is another one than before.'),
});
