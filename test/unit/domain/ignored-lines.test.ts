import { expect, it } from 'vitest';
import { withIgnoredLines } from '../../../src/domain/ignored-lines.js';

const LINES = ['knowledge.db*', 'project-key', 'sessions/', '.*.tmp'];
const OURS = `${LINES.join('\n')}\n`;

it.each([
  ['a new file, which also ignores itself', '', `${OURS}.gitignore\n`],
  ['a file with other lines', 'mine\n', `mine\n${OURS}`],
  ['a file whose last line does not end', 'mine', `mine\n${OURS}`],
  ['a complete file, which stays', OURS, OURS],
  [
    'a file with carriage returns',
    'mine\r\nyours',
    `mine\r\nyours\r\n${OURS.replaceAll('\n', '\r\n')}`,
  ],
  ['a complete file with carriage returns, which stays', LINES.join('\r\n'), LINES.join('\r\n')],
  [
    'a file that lacks some',
    'sessions/\nknowledge.db*\n',
    'sessions/\nknowledge.db*\nproject-key\n.*.tmp\n',
  ],
  ['a file that negates ours at its end', `${OURS}!sessions/\n`, `${OURS}!sessions/\n${OURS}`],
  ['a file that negates before ours', `!sessions/\n${OURS}`, `!sessions/\n${OURS}`],
  ['a file where a line ends with an exclamation mark', `${OURS}wow!\n`, `${OURS}wow!\n`],
  ['a file with a space before ours', ' project-key\n', ` project-key\n${OURS}`],
])('%s', (_, text, complete) => {
  expect(withIgnoredLines(text)).toBe(complete);
});
