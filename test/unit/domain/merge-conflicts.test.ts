import { expect, it } from 'vitest';
import { hasMergeConflict } from '../../../src/domain/chunks/merge-conflicts.js';

const CONFLICT = '<<<<<<< HEAD\nOurs.\n=======\nTheirs.\n>>>>>>> other\n';

it.each([
  ['a text', `Before.\n${CONFLICT}After.\n`],
  ['marks without names', CONFLICT.replaceAll(/ (?:HEAD|other)/g, '')],
  ['a common ancestor', CONFLICT.replace('=======', '||||||| base\nBase.\n=======')],
  ['frontmatter', `---\n${CONFLICT.replace('Ours.', 'a: 1').replace('Theirs.', 'a: 2')}---\nText.`],
  ['Windows line ends', CONFLICT.replaceAll('\n', '\r\n')],
])('a conflict is found in %s', (_, text) => expect(hasMergeConflict(text)).toBe(true));

it.each([
  ['no mark', 'Text.'],
  ['no beginning', CONFLICT.replace('<<<<<<< HEAD\n', '')],
  ['no middle', CONFLICT.replace('=======\n', '')],
  ['no end', CONFLICT.replace('>>>>>>> other\n', '')],
  ['marks in another order', '>>>>>>> other\nA.\n=======\nB.\n<<<<<<< HEAD\n'],
  ['an end before the middle', '<<<<<<< HEAD\nA.\n>>>>>>> other\n=======\nB.\n'],
  ['a middle before the beginning', '=======\n<<<<<<< HEAD\nA.\n>>>>>>> other\n'],
  ['marks inside lines', 'a <<<<<<< HEAD\nb =======\nc >>>>>>> other\n'],
  ['a beginning inside a line', CONFLICT.replace('<<<<<<<', 'a <<<<<<<')],
  ['a middle inside a line', CONFLICT.replace('=======', 'a =======')],
  ['an end inside a line', CONFLICT.replace('>>>>>>>', 'a >>>>>>>')],
  ['no middle before an end in the last line', '<<<<<<< HEAD\nOurs.\n>>>>>>> other'],
  ['longer marks', CONFLICT.replaceAll(/([<=>])\1{6}/g, '$&$1')],
  ['text after the middle mark', CONFLICT.replace('=======', '======= x')],
  ['marks in a code block', `\`\`\`\n${CONFLICT}\`\`\`\n`],
])('no conflict is found with %s', (_, text) => expect(hasMergeConflict(text)).toBe(false));
