import * as z from 'zod';
import { isDay } from '../domain/saved/note-dates.js';
import { SESSION_AGENTS } from '../domain/sessions/transcript.js';
import type { Answer, Request } from './checks.js';
import { count, list, named, oneValue, projectPath, textWith } from './fields.js';
import { pageFields } from './page-fields.js';

/** Agent sessions kept as files. */

/** The range of page sizes, and of the number of sessions to skip. */
const PAGE_RANGE = { min: 1, max: 200 } as const;
const OFFSET_RANGE = { min: 0, max: 1_000_000 } as const;

const day = textWith(isDay, 'must be a day such as "2026-12-31"');

export const sessionsRequest = z.object({
  projectPath,
  agent: oneValue(SESSION_AGENTS).describe('Only sessions with this agent.').exactOptional(),
  since: day.describe('Only sessions that began on or after this UTC day.').exactOptional(),
  until: day.describe('Only sessions that began on or before this UTC day.').exactOptional(),
  ...pageFields('sessions', { limit: PAGE_RANGE, offset: OFFSET_RANGE }),
});

export type SessionsRequest = Request<typeof sessionsRequest>;

export const sessionsResponse = z.object({
  total: count('Number of all sessions that match.'),
  sessions: list(
    named('Session', 'A session, as the frontmatter of its first file describes it.', {
      sourceFile: z.string().describe('Its first file, relative to the project.'),
      sourceFiles: z.array(z.string()).describe('All of its files, in order.'),
      agent: z.string().optional().describe('The agent; absent if the file does not say.'),
      session: z.string().optional().describe('Its id; absent if the file does not say.'),
      branch: z.string().optional().describe('The git branch, if the agent recorded it.'),
      started: z.string().optional().describe('When it began: an ISO 8601 time, or only the day.'),
      ended: z.string().optional().describe('ISO 8601 time of the last answer in its first file.'),
      title: z.string().describe('The first line of its first prompt.'),
    }),
    'One page of sessions, newest day first.',
  ),
});

export type SessionList = Answer<typeof sessionsResponse>;
