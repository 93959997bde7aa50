import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { questionGenerator } from '../../../src/adapters/openai/language-model.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import { endpointOfTest, type Reply } from '../../support/model-endpoint.js';
import { API_KEY, startChat } from '../../support/model-endpoint-chat.js';
import * as replies from '../../support/model-endpoint-replies.js';

const NOTE = 'canary-note: use WAL mode';
const PATIENT_MS = 10_000;
const IMPATIENT_MS = 60;

describe('an endpoint that misbehaves', () => {
  const questions = (list: readonly unknown[]) => replies.answeringJson({ questions: list });

  it.each<[string, Reply, string]>([
    ['answers 500', replies.status(500), 'failed'],
    ['drips the words of a 500', replies.dripping(500), 'failed'],
    ['answers 408', replies.status(408), 'unreachable'],
    ['closes mid-body', replies.closeMidBody, 'unreachable'],
    ['answers 429', replies.status(429), 'throttled'],
    ['answers 401', replies.status(401), 'refused'],
    ['answers 404', replies.status(404), 'refused'],
    ['answers garbage', replies.garbage, 'unusable'],
    ['answers HTML', replies.html, 'unusable'],
    ['answers null', replies.json(null), 'unusable'],
    ['answers nothing', replies.body(''), 'unusable'],
    ['answers 204', (response) => void response.writeHead(204).end(), 'unusable'],
    ['gives empty choices', replies.emptyChoices, 'unusable'],
    ['gives a message without content', replies.noContent, 'unusable'],
    ['gives a blank message', replies.answering(' \n'), 'unusable'],
    ['sends 10 MB', replies.huge(10 * 1024 * 1024), 'unusable'],
    ['asks 1 question', questions(['Why?']), 'unusable'],
    ['asks 50 questions', questions(Array(50).fill('Why?')), 'unusable'],
    ['asks a blank question', questions(['Why?', 'How?', ' \u200b ']), 'unusable'],
    ['asks a number', questions(['Why?', 'How?', 7]), 'unusable'],
    ['asks an endless question', questions(['Why?', 'How?', 'a'.repeat(201)]), 'unusable'],
    ['is cut off', replies.cutOff('{"questions": ["a?", "b?", "c?"]}'), 'unusable'],
    ['filters', replies.cutOff('{"questions": ["a?", "b?", "c?"]}', 'content_filter'), 'unusable'],
  ])('that %s is called once and fails as it should', async (_, reply, failure) => {
    const { generator, endpoint } = await startGenerator(reply, PATIENT_MS);
    expect(await failureOf(generator.generateQuestions(NOTE))).toMatchObject({ failure });
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['hangs', replies.hang],
    ['drips', replies.dripping(200)],
  ])('that %s is given up after the time-out', async (_, reply) => {
    const { generator, endpoint } = await startGenerator(reply, IMPATIENT_MS);
    const error = await failureOf(generator.generateQuestions(NOTE));
    expect(error).toMatchObject({ failure: 'unreachable' });
    expect(error.message).toContain('in time');
    expect(endpoint.requests).toHaveLength(1);
  });

  it('that refuses the connection is unreachable, with the error code of the system', async () => {
    const { generator, endpoint } = await startGenerator(replies.hang, PATIENT_MS);
    await endpoint.close();
    const error = await failureOf(generator.generateQuestions(NOTE));
    expect(error).toMatchObject({ failure: 'unreachable' });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('that is overloaded may also request a pause', async () => {
    const reply = replies.status(503, { 'retry-after-ms': '250', 'retry-after': '9' });
    const { generator } = await startGenerator(reply, PATIENT_MS);
    const error = await failureOf(generator.generateQuestions(NOTE));
    expect(error).toMatchObject({ failure: 'failed', retryAfterMs: 250 });
  });

  it('that redirects elsewhere is refused, and nothing is sent elsewhere', async () => {
    const elsewhere = await endpointOfTest(replies.threeQuestions);
    const reply = replies.redirectTo(`${elsewhere.baseUrl}/chat/completions`);
    const { generator } = await startGenerator(reply, PATIENT_MS);
    const error = await failureOf(generator.generateQuestions(NOTE));
    expect(error).toMatchObject({ failure: 'refused' });
    expect(elsewhere.requests).toHaveLength(0);
  });

  it.each<[string, Reply]>([
    ['words of a 400', replies.status(400)],
    ['words of a 401', replies.status(401)],
    ['words of a 500', replies.status(500)],
    ['words that are no JSON', replies.body(`${NOTE} ${API_KEY}`)],
    ['words of an answer', replies.answering(`${NOTE} ${API_KEY}`)],
  ])('does not get its %s into an error', async (_, reply) => {
    const { generator } = await startGenerator(reply, PATIENT_MS);
    const error = await failureOf(generator.generateQuestions(NOTE));
    const whole = inspect({ error, generator }, { depth: 20, showHidden: true });
    expect(whole).not.toContain(API_KEY);
    expect(whole).not.toContain('canary-note');
  });
});

describe('an endpoint that refuses response_format', () => {
  it.each([400, 422, 501])(
    'with %s is asked again without it, then always without it',
    async (code) => {
      const reply = replies.refusingResponseFormat(replies.threeQuestions, code);
      const { generator, endpoint } = await startGenerator(reply, PATIENT_MS);
      expect(await generator.generateQuestions(NOTE)).toHaveLength(3);
      expect(await generator.generateQuestions(NOTE)).toHaveLength(3);
      const asked = endpoint.requests.map(({ body }) => 'response_format' in body);
      expect(asked).toEqual([true, false, false]);
    },
  );

  it('is not to be confused with one that refuses the text', async () => {
    const twice400 = replies.inTurn(
      replies.status(400),
      replies.status(400),
      replies.threeQuestions,
    );
    const { generator, endpoint } = await startGenerator(twice400, PATIENT_MS);
    const error = await failureOf(generator.generateQuestions(NOTE));
    expect(error).toMatchObject({ failure: 'refused' });
    await generator.generateQuestions(NOTE);
    const asked = endpoint.requests.map(({ body }) => 'response_format' in body);
    expect(asked).toEqual([true, false, true]);
  });
});

async function startGenerator(reply: Reply, timeoutMs: number) {
  const { chat, endpoint } = await startChat(reply);
  return { generator: questionGenerator(chat, timeoutMs), endpoint };
}

async function failureOf(call: Promise<unknown>): Promise<ModelCallError> {
  const error = await call.then(
    (value) => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelCallError);
  return error as ModelCallError;
}
