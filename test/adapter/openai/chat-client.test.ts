import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatClient } from '../../../src/adapters/openai/chat-client.js';
import { questionGenerator, summarizer } from '../../../src/adapters/openai/language-model.js';
import type { ModelEndpoint, Reply } from '../../support/model-endpoint.js';
import { API_KEY, startChat } from '../../support/model-endpoint-chat.js';
import { answering, hang, huge, threeQuestions } from '../../support/model-endpoint-replies.js';

const question = { prompt: 'Hello', timeoutMs: 10_000 } as const;

let endpoint: ModelEndpoint | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a request', () => {
  it('is a chat completion of temperature 0 with one user message', async () => {
    const chat = await start(threeQuestions);
    await questionGenerator(chat).generateQuestions('Use WAL mode.');
    const [request] = endpoint?.requests ?? [];
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(request?.body).toEqual({
      model: 'small',
      temperature: 0,
      messages: [{ role: 'user', content: request?.prompt }],
      response_format: { type: 'json_object' },
    });
    expect(request?.data).toBe('Use WAL mode.');
  });

  it('does not request an object if text is wanted', async () => {
    const chat = await start(answering('## Short'));
    expect(await summarizer(chat).summarize('## Long')).toBe('## Short');
    expect(endpoint?.requests[0]?.body).not.toHaveProperty('response_format');
  });

  it('carries the key, and nothing of the machine or the environment', async () => {
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-secret: 1\nauthorization: Bearer other');
    vi.stubEnv('OPENAI_ORG_ID', 'org');
    await (await start(answering('Hi'))).text(question);
    const headers = endpoint?.requests[0]?.headers ?? {};
    expect(headers['authorization']).toBe(`Bearer ${API_KEY}`);
    expect(Object.keys(headers)).not.toContain('x-secret');
    expect(Object.keys(headers).filter((name) => /^(x-|openai-)/.test(name))).toEqual([]);
  });

  it('is not printed by the package, for any environment variables', async () => {
    const prints = (['debug', 'info', 'warn', 'error', 'log'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    vi.stubEnv('OPENAI_LOG', 'debug');
    await (await start(answering('Hi'))).text(question);
    for (const print of prints) expect(print).not.toHaveBeenCalled();
  });

  it.each([undefined, ''])('has no Authorization header without a key (%j)', async (apiKey) => {
    await (await start(answering('Hi'), { apiKey })).text(question);
    expect(endpoint?.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a reply', () => {
  it('is read up to its limit and no further', async () => {
    const chat = await start(huge(2000), { maxReplyBytes: 3000 });
    expect(await chat.text(question)).toHaveLength(2000);
    endpoint?.answerWith(huge(3000));
    await expect(chat.text(question)).rejects.toMatchObject({ failure: 'unusable' });
  });

  it('is no longer awaited after a stop', async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const stopping = new AbortController();
    const reply: Reply = (response, request) => {
      arrived();
      return hang(response, request);
    };
    const chat = await start(reply, { signal: stopping.signal });
    const call = chat.text(question);
    await arrival;
    stopping.abort();
    await expect(call).rejects.toMatchObject({ failure: 'unreachable' });
  });
});

async function start(...args: Parameters<typeof startChat>): Promise<ChatClient> {
  const started = await startChat(...args);
  endpoint = started.endpoint;
  return started.chat;
}
