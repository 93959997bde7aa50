import { z } from 'zod';

/** What is told of the files that a chunk cites (docs/specification.md, "Citations"). */

const lines = z.string().optional();

const toldCitation = z
  .object({
    path: z.string().describe('The file, relative to the project, with "/".'),
    lines: lines.describe('"from-to"; absent where the whole file is cited.'),
    state: z
      .enum(['current', 'changed', 'gone', 'moved', 'renamed'])
      .optional()
      .describe('What has become of it; absent if it was not looked at within 50 ms.'),
    since: z.string().describe('ISO 8601 time from which on it is judged.'),
    movedTo: lines.describe('"from-to": where the lines are now.'),
    renamedTo: z.string().optional().describe('Where the file is now.'),
  })
  .meta({ id: 'Citation', description: 'A file of the project that a chunk cites.' });

export const citations = z.array(toldCitation).describe('What the chunk cites.');

/** Beside a chunk. */
export const citationReport = {
  citations: citations.optional().describe('What the chunk cites; absent if that is nothing.'),
  stale: z
    .literal(true)
    .optional()
    .describe('Only if something that the chunk cites has changed or is gone.'),
};
