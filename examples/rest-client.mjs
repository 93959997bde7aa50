// @ts-check
import process from 'node:process';

const BASE_URL = process.env['KNOWLEDGE_URL'] || 'http://127.0.0.1:3737';
const TOKEN = process.env['KNOWLEDGE_TOKEN'];

/**
 * @param {string} route below /api/knowledge
 * @param {object} body
 */
export function post(route, body) {
  const headers = { 'Content-Type': 'application/json' };
  return answer(route, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * @param {string} route below /api/knowledge
 * @param {Record<string, string>} query
 */
export function get(route, query) {
  return answer(`${route}?${new URLSearchParams(query)}`, {});
}

/**
 * Throws an error with the message and the code of the service if the response is not a success. A
 * response with `Retry-After` (503) can be retried after that many seconds.
 *
 * @param {string} route
 * @param {RequestInit} init
 * @returns {Promise<any>}
 */
async function answer(route, init) {
  const headers = new Headers(init.headers);
  if (TOKEN) headers.set('Authorization', `Bearer ${TOKEN}`);
  const response = await fetch(`${BASE_URL}/api/knowledge${route}`, { ...init, headers }).catch(
    (cause) => {
      const next = 'Start one with "npm start", or set KNOWLEDGE_URL.';
      throw new Error(`No service answers at ${BASE_URL}. ${next}`, { cause });
    },
  );
  /** @type {any} */
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${body.code}: ${body.error}`);
  return body;
}
