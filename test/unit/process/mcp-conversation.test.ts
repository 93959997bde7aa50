import { beforeEach, describe, expect, it } from 'vitest';
import { Conversation } from '../../../src/process/local/mcp-conversation.js';

let toClient: string[];
let conversation: Conversation;

beforeEach(() => {
  toClient = [];
  conversation = new Conversation((line) => toClient.push(line));
});

describe('a line that broke off when the service ended', () => {
  it('does not reach the client, and its request is repeated', () => {
    conversation.connect(() => undefined);
    const request = call(1, 'search');
    conversation.fromClient(request);
    conversation.fromService('{"jsonrpc":"2.0","id":1,"resu');
    conversation.disconnect();
    const asked: string[] = [];
    conversation.connect((line) => asked.push(line));
    expect({ toClient, asked }).toEqual({ toClient: [], asked: [request] });
  });

  it('leaves a call that writes to be answered with an error', () => {
    conversation.connect(() => undefined);
    conversation.fromClient(call(2, 'save_note'));
    conversation.fromService('{"jsonrpc":"2.0","id":2,');
    conversation.disconnect();
    conversation.connect(() => undefined);
    expect(toClient).toEqual([
      expect.stringMatching(/"id":2,"error".*may or may not have taken effect/),
    ]);
  });
});

it.each([
  ['not json', -32_700],
  ['[]', -32_600],
  ['7', -32_600],
])('answers the line %s of a client with an error, and goes on', (line, code) => {
  const asked: string[] = [];
  conversation.fromClient(line);
  conversation.connect((one) => asked.push(one));
  conversation.fromClient(call(1, 'search'));
  expect(toClient.map((one) => JSON.parse(one))).toMatchObject([{ id: null, error: { code } }]);
  expect(asked).toEqual([call(1, 'search')]);
});

// Helpers

function call(id: number, name: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
}
