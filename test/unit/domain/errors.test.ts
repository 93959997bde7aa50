import { describe, expect, it } from 'vitest';
import {
  errorReason,
  isErrorCode,
  KnowledgeError,
  ModelCallError,
  systemErrorCode,
  systemReason,
  writeFailure,
} from '../../../src/domain/errors.js';

describe('an error of the system', () => {
  it.each([
    ["EACCES: permission denied, open '/a/b'", 'EACCES: permission denied'],
    [
      "ENOENT: no such file or directory, rename '/a' -> '/b\nc'",
      'ENOENT: no such file or directory',
    ],
    ['The disk, open to all, is full.', 'The disk, open to all, is full.'],
    [
      "at last EACCES: permission denied, open '/a/b'",
      "at last EACCES: permission denied, open '/a/b'",
    ],
    ['EACCES: permission denied', 'EACCES: permission denied'],
    ['EACCES: permission denied, …', 'EACCES: permission denied, …'],
  ])('%j is shown as %j', (message, shown) => {
    expect(systemReason(new Error(message))).toBe(shown);
  });

  it('has a code; anything else has none', () => {
    expect(systemErrorCode(Object.assign(new Error('x'), { code: 'EEXIST' }))).toBe('EEXIST');
    expect(systemErrorCode(new Error('x'))).toBe('');
    for (const thrown of [{ code: 'EEXIST' }, 'EEXIST', undefined]) {
      expect(systemErrorCode(thrown)).toBe('');
    }
  });
});

it.each([
  ['EACCES', 'EACCES: permission denied; make /data writable'],
  ['EPERM', 'EPERM: permission denied; make /data writable'],
  ['EROFS', 'EROFS: permission denied; make /data writable'],
  ['ENOSPC', 'ENOSPC: permission denied'],
])('a failed write with %s says "%s"', (code, sentence) => {
  const error = Object.assign(new Error(`${code}: permission denied, open '/data/x'`), { code });
  expect(writeFailure(error, '/data')).toBe(sentence);
});

it('the reason of any thrown value is its message or its text', () => {
  expect([new Error('it failed'), 'it failed', 7].map(errorReason)).toEqual([
    'it failed',
    'it failed',
    '7',
  ]);
});

it('codes are distinguished from other words, and an error has its name', () => {
  expect(['internal', 'store_unavailable', 'Internal', ''].map(isErrorCode)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(new KnowledgeError('internal', 'It failed.').name).toBe('KnowledgeError');
  expect(new ModelCallError('failed', 'It failed.').name).toBe('ModelCallError');
});
