import { rmSync } from 'node:fs';
import type { Environment } from '../../app/config/read-config.js';
import type { AgentPrompt } from '../../app/lessons/prompt-knowledge.js';
import { type AnswerLine, OPERATIONS_PATH, readLines, send } from './exchange.js';
import { shakeHands } from './find.js';
import { findPlace, isServiceOff } from './place.js';
import { launchService } from './start.js';

/**
 * Asks the local service for the notes and lessons that fit a prompt. If no service is running, starts one for the next
 * prompt and returns nothing.
 * @throws Error if the service does not answer in time, or a variable is invalid
 */
export async function knownForPrompt(
  env: Environment,
  prompt: AgentPrompt,
  signal: AbortSignal,
): Promise<string> {
  if (isServiceOff(env)) return '';
  const place = findPlace(env);
  const found = await shakeHands(place, signal);
  if (found === 'silent') return '';
  if (typeof found === 'string') {
    if (found === 'nonsense') rmSync(place.socket, { force: true });
    await launchService(env);
    return '';
  }
  const body = JSON.stringify({ name: 'knownForPrompt', args: [prompt] });
  const response = await send({ socket: place.socket, path: OPERATIONS_PATH, body, signal });
  let last: AnswerLine | undefined;
  for await (const line of readLines(response)) last = JSON.parse(line);
  return last !== undefined && 'result' in last && typeof last.result === 'string'
    ? last.result
    : '';
}
