import { describe, expect, it } from 'vitest';
import {
  leftoverNotes,
  setAsideProblems,
  temporaryFiles,
} from '../../../src/app/recovery/doctor-remarks.js';
import type { Leftover } from '../../../src/ports/driven/leftovers.js';

const leftover = (kind: Leftover['kind'], path: string, bytes = 0): Leftover => ({
  kind,
  path,
  bytes,
});
const temporaries = (count: number) =>
  Array.from({ length: count }, (_, index) => leftover('temporary', `${index}.tmp`));

describe('what a diagnosis says of leftovers', () => {
  it('names databases that were set aside meanwhile, and no other file', () => {
    const before = [leftover('damaged', 'old')];
    const after = [...before, leftover('damaged', 'new'), leftover('replaced', 'other')];
    expect(setAsideProblems(before, after)).toMatchObject([
      { state: 'mended', advice: expect.stringContaining('set aside as new,') },
    ]);
  });

  it.each([
    [1, 'a temporary file behind: 0.tmp.'],
    [2, 'temporary files behind: 0.tmp, 1.tmp.'],
    [5, 'temporary files behind: 0.tmp, 1.tmp, 2.tmp, 3.tmp, 4.tmp.'],
    [7, 'temporary files behind: 0.tmp, 1.tmp, 2.tmp, 3.tmp, 4.tmp and 2 others.'],
  ])('of %i temporary files: %s', (count, sentence) => {
    const found = [leftover('damaged', 'kept'), ...temporaries(count)];
    const problem = `Interrupted writes left ${sentence}`;
    expect(temporaryFiles(found, 'mendable')).toEqual([
      { problem, advice: 'A repair deletes them.', state: 'mendable' },
    ]);
    expect(temporaryFiles(found, 'mended')).toEqual([
      { problem, advice: 'They were deleted.', state: 'mended' },
    ]);
  });

  it('is nothing where no write was interrupted', () => {
    expect(temporaryFiles([leftover('damaged', 'kept')], 'mended')).toEqual([]);
  });

  it('is a note for each copy that is kept, with its size', () => {
    const found = [
      leftover('damaged', 'a', 2.5 * 2 ** 20),
      ...temporaries(1),
      leftover('replaced', 'b'),
    ];
    expect(leftoverNotes(found)).toEqual([
      expect.stringMatching(/^a \(2\.5 MB\) is a damaged database/),
      expect.stringMatching(/^b \(0\.0 MB\) is the log of a database that was moved/),
    ]);
  });
});
