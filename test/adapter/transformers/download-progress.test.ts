import { describe, expect, it } from 'vitest';
import { DownloadProgress } from '../../../src/adapters/transformers/download/download-progress.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

describe('the progress of a download', () => {
  it('is told at the start, at each quarter of a large file, and at the end', () => {
    const { progress, clock, logger } = start();
    for (let done = 0; done <= 22_900_000; done += 100_000) progress.advance(done, 22_900_000);
    progress.add(22_900_000);
    clock.advance(8000);
    progress.end();
    expect(logger.entries.map(({ fields }) => fields)).toEqual([
      { model: 'a/b', hub: 'http://hub' },
      { percent: 25, megabytes: 5.8 },
      { percent: 50, megabytes: 11.5 },
      { percent: 75, megabytes: 17.2 },
      { model: 'a/b', megabytes: 22.9, seconds: 8 },
    ]);
  });

  it('of a small file, or of one without a length, is not told', () => {
    const { progress, logger } = start();
    progress.advance(400, 800);
    progress.advance(10_000_000, undefined);
    expect(logger.entries).toHaveLength(1);
  });
});

function start() {
  const clock = new FixedClock();
  const logger = new SilentLogger();
  const progress = new DownloadProgress({
    model: 'a/b',
    hub: 'http://hub',
    clock,
    logger,
  });
  progress.start();
  return { progress, clock, logger };
}
