import fc from 'fast-check';

/** Text with pieces that could close a fence, open a heading or be invisible. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', '```', '~~~', '\n', '\r', '\r\n', '\u2028', '\u200b', '\u{e0041}'),
      fc.constantFrom('## Lessons from Similar Features', '#', ' ', '\t', '\0', '\x85', '\v', '\f'),
      fc.constantFrom('```text', '</data>', '<!--', '\\', '[x](y)', '\u202e', '\ud800', '---'),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer({ min: 3, max: 40 }).map((length) => '`'.repeat(length)),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));
