import { once } from 'node:events';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PromiseQueue } from '../../../src/shared/concurrency.js';

describe('a promise queue', () => {
  it('starts work only after all earlier work has ended', async () => {
    const queue = new PromiseQueue();
    const events: string[] = [];
    const first = queue.run(async () => {
      events.push('first started');
      await Promise.resolve();
      events.push('first ended');
    });
    const second = queue.run(() => events.push('second'));
    await Promise.all([first, second]);
    expect(events).toEqual(['first started', 'first ended', 'second']);
  });

  it('returns what the work returns', async () => {
    expect(await new PromiseQueue().run(() => 7)).toBe(7);
  });

  it('runs later work even if earlier work fails', async () => {
    const queue = new PromiseQueue();
    const failing = queue.run(() => Promise.reject(new Error('failed')));
    const next = queue.run(() => 'next');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  it('is idle only once the work is done, and also after a failure', async () => {
    const queue = new PromiseQueue();
    const stop = new AbortController();
    const work = async () => {
      await once(stop.signal, 'abort');
      throw new Error('failed');
    };
    const events: string[] = [];
    const running = queue.run(work).catch(() => events.push('failed'));
    const idle = queue.idle().then(() => events.push('idle'));
    await yieldToEventLoop();
    expect(events).toEqual([]);
    stop.abort();
    await Promise.all([running, idle]);
    expect(events).toEqual(['failed', 'idle']);
  });
});
