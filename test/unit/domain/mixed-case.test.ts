import { expect, it } from 'vitest';
import { mixedCaseWordsWith } from '../../../src/domain/query/mixed-case.js';

it.each<[letters: string, text: string, words: readonly string[]]>([
  ['projectroot', 'Call resolveProjectRoot(path).', ['resolveprojectroot']],
  ['root', 'resolveProjectRoot and resolveProjectRoot', ['resolveprojectroot']],
  ['project', 'ProjectRootPath, getProject', ['projectrootpath', 'getproject']],
  ['root', 'Root, grassroots, rooted, UPROOT', []],
  ['root', 'the root', []],
  ['root', 'İ resolveProjectRoot', ['resolveprojectroot']],
  ['parser', 'HTTPParser2', []],
  ['parser2', 'HTTPParser2', ['httpparser2']],
  ['oot', 'resolveProjectRoot', []],
])('the letters %s are whole parts in %j of %j', (letters, text, words) => {
  expect(mixedCaseWordsWith(letters, text)).toEqual(words);
});
