import { expect, it } from 'vitest';
import { featureId } from '../../../src/schemas/fields.js';

it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0', 'x'.repeat(256), 7])(
  'the name of a feature is that of a folder: not %j',
  (name) => expect(featureId.safeParse(name).success).toBe(false),
);

it.each(['a', '...', '.a', 'x'.repeat(255)])('the name of a feature may be %j', (name) =>
  expect(featureId.safeParse(name).success).toBe(true),
);
