import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { HubAnswer } from './model-hub.js';

export const whole: HubAnswer = (response, content) => {
  response.setHeader('content-length', content.length).end(content);
};

export const notFound: HubAnswer = (response) => {
  response.writeHead(404).end('Entry not found');
};

export const serverError: HubAnswer = (response) => {
  response.writeHead(500).end();
};

/** Other content of the same length. */
export const wrongBytes: HubAnswer = (response, content, request) =>
  whole(response, Buffer.alloc(content.length, 7), request);

/** What a captive portal sends for anything. */
export const page: HubAnswer = (response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><p>Please sign in</p>');
};

export function redirect(location: string): HubAnswer {
  return (response) => {
    response.writeHead(302, { location }).end();
  };
}

/** Sends half of a file and, once that is on its way, does something else. */
export function halfThen(next: (response: Parameters<HubAnswer>[0]) => void): HubAnswer {
  return async (response, content) => {
    response.setHeader('content-length', content.length);
    if (!response.write(content.subarray(0, content.length / 2))) await once(response, 'drain');
    next(response);
  };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
