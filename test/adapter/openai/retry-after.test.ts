import { describe, expect, it } from 'vitest';
import { RETRY_AFTER_MAX_MS, retryAfterMs } from '../../../src/adapters/openai/endpoint-client.js';

const NOW = new Date('2026-01-05T12:00:00Z');

describe('retryAfterMs', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': '1e9' }, RETRY_AFTER_MAX_MS],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Mon, 05 Jan 2026 11:59:30 GMT' }, 0],
    [{ 'retry-after': 'Tue, 05 Jan 2027 12:00:00 GMT' }, RETRY_AFTER_MAX_MS],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
  ])('reads %j as %s', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
  });
});
