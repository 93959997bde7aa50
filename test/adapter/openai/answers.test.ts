import { describe, expect, it } from 'vitest';
import {
  LESSON_MAX_CHARACTERS,
  LESSONS_MAX,
  lessonExtractor,
  questionGenerator,
} from '../../../src/adapters/openai/language-model.js';
import type { Lesson } from '../../../src/domain/lessons/lesson-text.js';
import type { ModelEndpoint } from '../../support/model-endpoint.js';
import { startChat } from '../../support/model-endpoint-chat.js';
import { answering, answeringJson, threeQuestions } from '../../support/model-endpoint-replies.js';

const REPORT = { title: 'T', description: 'D', agentOutput: 'O', reflection: 'R' };
const LESSON = { category: 'api', title: 'Paging', content: 'Page by key.' };

let endpoint: ModelEndpoint | undefined;

describe('lessons', () => {
  it('are taken as they are written, categories too', async () => {
    const odd = { ...LESSON, category: 'Not A Category!' };
    expect(await extract({ learnings: [LESSON, odd] })).toEqual([LESSON, odd]);
  });

  it('may be empty', async () => {
    expect(await extract({ learnings: [] })).toEqual([]);
  });

  it('have their titles on one line and nothing invisible', async () => {
    const sly = {
      category: 'api\n',
      title: 'Use\r\n## WAL\u202e',
      content: ' a\r\nb\u{e0041}\u0007 ',
    };
    const clean = { category: 'api', title: 'Use ## WAL', content: 'a\nb' };
    expect(await extract({ learnings: [sly] })).toEqual([clean]);
  });

  it('are cut if they are too long, never inside a character', async () => {
    const long = { category: 'c'.repeat(999), title: 't'.repeat(999), content: 'x'.repeat(9999) };
    const [cut] = await extract({ learnings: [long] });
    expect(cut?.category).toHaveLength(LESSON_MAX_CHARACTERS.category);
    expect(cut?.title).toHaveLength(LESSON_MAX_CHARACTERS.title);
    expect(cut?.content).toHaveLength(LESSON_MAX_CHARACTERS.content);
    const emoji = { ...LESSON, title: `a${'😀'.repeat(200)}` };
    const [whole] = await extract({ learnings: [emoji] });
    expect(whole?.title).toBe(`a${'😀'.repeat(99)}`);
  });

  it('beyond the limit are left out', async () => {
    expect(await extract({ learnings: Array(50).fill(LESSON) })).toHaveLength(LESSONS_MAX);
  });

  it.each([
    ['no list', { learnings: LESSON }],
    ['a bare list', [LESSON]],
    ['no key', {}],
    ['a text', { learnings: ['Page by key.'] }],
    ['null', { learnings: [null] }],
    ['no category', { learnings: [{ title: 't', content: 'c' }] }],
    ['a blank title', { learnings: [{ ...LESSON, title: ' ' }] }],
    ['a blank content', { learnings: [LESSON, { ...LESSON, content: '\u200b' }] }],
    ['a content that is a list', { learnings: [{ ...LESSON, content: ['c'] }] }],
  ])('are unusable as %s', async (_, answer) => {
    await expect(extract(answer)).rejects.toMatchObject({ failure: 'unusable' });
  });

  it.each([
    ['words before it', 'Sure! {"learnings": []}'],
    ['words before its fence', 'Sure:\n```json\n{"learnings": []}\n```'],
    ['words after its fence', '```json\n{"learnings": []}\n```\nAnything else?'],
    ['two fences', '```json\n{"learnings": []}\n```\n```json\n{"learnings": []}\n```'],
    ['an open fence', '```json\n{"learnings": []}'],
    ['a fence of another language', '```yaml\n{"learnings": []}\n```'],
  ])('are unusable where the object has %s', async (_, answer) => {
    await expect(extractFrom(answer)).rejects.toMatchObject({ failure: 'unusable' });
  });

  it.each([
    '```json\n{"learnings": []}\n```',
    '```\n{"learnings": []}\n```',
    '\n{"learnings":[]} ',
  ])('are found in %j', async (answer) => {
    expect(await extractFrom(answer)).toEqual([]);
  });
});

describe('the request', () => {
  it('is the end of a long output and the beginning of the rest', async () => {
    const many = 'm'.repeat(50_000);
    await extract(
      { learnings: [] },
      {
        title: 'T',
        description: `D${many}END`,
        agentOutput: `START${many}O`,
        reflection: `R${many}END`,
      },
    );
    const data = endpoint?.requests[0]?.data ?? '';
    expect(data).toMatch(
      /^Title: T\n\nDescription:\nDm+\n\nEnd of the agent's output:\nm+O\n\nReflection:\nRm+$/,
    );
    expect(data.length).toBeLessThan(30_000);
  });

  it('is the beginning of a text that is too long for questions', async () => {
    const started = await startChat(threeQuestions);
    endpoint = started.endpoint;
    await questionGenerator(started.chat).generateQuestions(`A${'b'.repeat(50_000)}`);
    expect(endpoint.requests[0]?.data).toBe(`A${'b'.repeat(11_999)}`);
  });
});

async function extract(answer: unknown, report = REPORT): Promise<readonly Lesson[]> {
  return extractWith(answeringJson(answer), report);
}

async function extractFrom(answer: string): Promise<readonly Lesson[]> {
  return extractWith(answering(answer), REPORT);
}

async function extractWith(reply: ReturnType<typeof answering>, report: typeof REPORT) {
  const started = await startChat(reply);
  endpoint = started.endpoint;
  return lessonExtractor(started.chat).extractLessons(report);
}
