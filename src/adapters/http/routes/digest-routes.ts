import { z } from 'zod';
import type { DigestService } from '../../../ports/driving/digest-service.js';
import { categoryName, epicId, projectPath } from '../../../schemas/fields.js';
import { Created, type Route, route, STORE_ERRORS } from './route.js';

/** Summaries that the small language model writes (docs/api.md, "Extensions of the hybrid variant"). */
export function digestRoutes(digests: DigestService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/knowledge/x/digests',
      summary: 'Writes a digest of a memory category, or of the reflections of an epic.',
      request: digestRequest,
      response: digestResponse,
      created: digestResponse,
      errors: [...STORE_ERRORS, 'not_found', 'category_not_found', 'model_unavailable'],
      handle: async ({ projectPath, ...subject }) => {
        const { isNew, ...report } = await digests.makeDigest(projectPath, subject);
        return isNew ? new Created(report) : report;
      },
    }),
  ];
}

const digestRequest = z.object({
  projectPath,
  category: categoryName.exactOptional(),
  epicId: epicId.exactOptional(),
});

const digestResponse = z.object({
  sourceFile: z.string().describe('The file that the digest is kept in.'),
  chunks: z.int().min(0).describe('How many chunks the index holds of it.'),
  sources: z.array(z.string()).describe('The source files that it was made of.'),
});
