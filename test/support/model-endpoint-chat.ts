import { ChatClient } from '../../src/adapters/openai/chat-client.js';
import type { EndpointOptions } from '../../src/adapters/openai/endpoint-client.js';
import type { Clock } from '../../src/ports/clock.js';
import { endpointOfTest, type ModelEndpoint, type Reply } from './model-endpoint.js';

export const API_KEY = 'sk-canary-4f1d';
export const NOW = new Date('2026-01-05T12:00:00Z');

/** Starts an endpoint, and a client for it with a key and with its clock at {@link NOW}. */
export async function startChat(
  reply: Reply,
  options: Partial<EndpointOptions> = {},
): Promise<{ readonly chat: ChatClient; readonly endpoint: ModelEndpoint }> {
  const endpoint = await endpointOfTest(reply);
  const { baseUrl } = endpoint;
  const chat = new ChatClient({
    baseUrl,
    model: 'small',
    apiKey: API_KEY,
    clock: standingClock,
    signal: new AbortController().signal,
    ...options,
  });
  return { chat, endpoint };
}

const standingClock: Clock = {
  now: () => NOW,
  monotonic: () => 0,
  sleep: async () => {},
};
