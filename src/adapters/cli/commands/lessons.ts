import type { LessonsBody, SimilarBody } from '../bodies.js';
import type { Fields } from '../command-line-parts.js';
import { loadModel } from '../model-readiness.js';
import type { Session } from '../session.js';
import { printable } from '../text/format.js';
import { argument, INDEXES, type ProjectCommand } from './command.js';
import { indexFirst } from './indexing.js';
import { SHOWN_RESULTS } from './search.js';

export const lessons: ProjectCommand = {
  name: 'lessons',
  summary: 'print lessons from earlier work for a task',
  arguments: [argument('<title...>', 'title', 'title of your next task')],
  fields: ['description', 'also', 'featureId', 'maxResults'],
  examples: ['lessons "Offline sync" -d "Queue writes while offline"'],
  needs: INDEXES,
  work: async (session, given) => {
    await Promise.all([indexFirst(session), loadModel(session)]);
    const body = await session.call('POST /api/knowledge/x/lessons', given);
    await session.print(body, sectionText);
    if (!session.showsText || body.source !== 'none') return;
    session.note((await session.emptiness()) ?? (await noLessons(session, body, given)));
  },
};

async function sectionText({ section, results }: LessonsBody): Promise<string> {
  const { shownSection } = await import('../../../domain/lessons/lessons-section.js');
  const types = results.map(({ chunk }) => chunk.sourceType);
  return printable(shownSection(section, types));
}

async function noLessons(
  session: Session,
  { leftOut = 0 }: LessonsBody,
  { title, description, also }: Fields,
): Promise<string> {
  const { leftOutSentence } = await import('../../../domain/lessons/lessons-section.js');
  const none =
    leftOut === 0
      ? 'There are no lessons for this task.'
      : `No lesson is relevant enough. ${leftOutSentence(leftOut)}`;
  const query = [title, description].filter(Boolean).join(' ');
  const wanted = { query, also, maxResults: 1, counted: false };
  const { results, weak } = await session.call('POST /api/knowledge/x/search', wanted);
  const [place] = weak ? [] : await session.formatPlaces(results);
  const best = place === undefined ? '' : `; the best match is ${place}`;
  return `${none} "knowledge-store search" also covers documents and notes${best}.`;
}

export const similar: ProjectCommand = {
  name: 'similar',
  summary: 'find chunks that resemble a text',
  arguments: [
    argument('<text...>', 'text', 'the text, or - for standard input; its first 20 words count'),
  ],
  fields: ['sourceFile', 'maxResults'],
  options: [['--full', 'show the whole text of each result']],
  examples: ['similar "retry with backoff"', 'similar - < notes.md'],
  needs: INDEXES,
  work: async (session, given) => {
    await Promise.all([indexFirst(session), loadModel(session)]);
    const fields = { ...given, maxResults: given['maxResults'] ?? SHOWN_RESULTS };
    const body = await session.call('POST /api/knowledge/x/similar', fields);
    await session.print(body, () => similarText(session, body, given));
  },
};

async function similarText(
  session: Session,
  { results }: SimilarBody,
  { text, full }: Fields,
): Promise<string> {
  if (results.length === 0) return (await session.emptiness()) ?? 'Nothing similar was found.';
  const { resultsText } = await import('../text/results.js');
  const query = String(text).split(/\s+/).slice(0, 20).join(' ');
  const places = await session.formatPlaces(results);
  return resultsText(results, { ...session.resultsView, full: full === true, query, places });
}
