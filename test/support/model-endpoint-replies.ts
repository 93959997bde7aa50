import type { ModelRequest, Reply } from './model-endpoint.js';

/** A complete response with this text, or with the text that a function derives from the request. */
export function answering(content: string | ((request: ModelRequest) => string)): Reply {
  return (response, request) => {
    const text = typeof content === 'string' ? content : content(request);
    json(completionOf({ content: text }, 'stop'))(response, request);
  };
}

/** A complete response with a value as JSON. */
export function answeringJson(value: unknown): Reply {
  return answering(JSON.stringify(value));
}

export const threeQuestions: Reply = answeringJson({
  questions: ['What is WAL?', 'Why WAL?', 'When is WAL wrong?'],
});

/** Gives each reply once, then the last one forever. */
export function inTurn(first: Reply, ...others: readonly Reply[]): Reply {
  const waiting = [first, ...others];
  let current = first;
  return (response, request) => {
    current = waiting.shift() ?? current;
    return current(response, request);
  };
}

/** Refuses requests with `response_format`, by default with 400; gives others the other reply. */
export function refusingResponseFormat(otherwise: Reply, refusal = 400): Reply {
  return (response, request) =>
    'response_format' in request.body
      ? status(refusal)(response, request)
      : otherwise(response, request);
}

/** An error in OpenAI's format. As the worst case, its message repeats the key and the prompt. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response, request) => {
    const message = `Refused ${request.headers['authorization']}: ${request.prompt}`;
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
  };
}

/** 429 with this `Retry-After` header. */
export function throttled(retryAfter: string): Reply {
  return status(429, { 'retry-after': retryAfter });
}

export function redirectTo(url: string): Reply {
  return status(307, { location: url });
}

/** 200 with a value as JSON. */
export function json(value: unknown): Reply {
  return body(JSON.stringify(value));
}

/** 200 with any body. */
export function body(text: string, contentType = 'application/json'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(text);
  };
}

export const garbage: Reply = body('{"choices": [{"mess');
export const html: Reply = body('<html><body>Welcome to the router</body></html>', 'text/html');
export const emptyChoices: Reply = json({ id: '1', object: 'chat.completion', choices: [] });
export const noContent: Reply = json(completionOf({ content: null }, 'stop'));

/** A response that the model did not finish. */
export function cutOff(content: string, finishReason = 'length'): Reply {
  return json(completionOf({ content }, finishReason));
}

/** A valid response with a text of this many bytes. */
export function huge(bytes: number): Reply {
  return answering('x'.repeat(bytes));
}

/** Accepts the request and never responds. */
export const hang: Reply = () => {};

/** Sends a header at once, then one byte every few milliseconds, forever. */
export function dripping(code: number): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  };
}

/** Sends the start of a response, then drops the connection. */
export const closeMidBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices": [', () => response.destroy());
};

function completionOf(message: Readonly<Record<string, unknown>>, finishReason: string): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      { index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason },
    ],
  };
}
