import { expect, it } from 'vitest';
import { printableLine, shownJson } from '../../src/adapters/cli/text/format.js';

const HOSTILE = 'a\u009b31m\u202eb\u001b]0;x\u0007\n\u007fc';

it('JSON for a terminal has no control characters, and parses to the same value', () => {
  expect(shownJson({ text: HOSTILE })).toMatch(/^[ -~]+$/);
  expect(JSON.parse(shownJson({ text: HOSTILE }))).toEqual({ text: HOSTILE });
});

it('a line for a terminal has none either', () => {
  expect(printableLine(HOSTILE)).toMatch(/^[ -~]+$/);
});
