import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MENDS } from '../../../bench/fuzz/mends.js';
import { CHECKOUT } from '../../support/running-service.js';

test.each(MENDS)('a mend that is undone is still there: $name', ({ file, from }) => {
  expect(readFileSync(join(CHECKOUT, file), 'utf8').split(from)).toHaveLength(2);
});
