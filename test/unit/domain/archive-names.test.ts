import { describe, expect, it } from 'vitest';
import {
  archiveNameAt,
  exportPath,
  isArchiveName,
} from '../../../src/domain/transfer/archive-names.js';

describe('the name of an export', () => {
  it.each(['a', 'A-1_b.c', '7', 'a'.repeat(64), 'wal', 'a-wal-b', 'a.wal'])('may be %s', (name) => {
    expect(isArchiveName(name)).toBe(true);
  });

  it.each([
    ...['', '.a', '-a', '_a', 'a/b', 'a b', 'ä', 'a\n', 'a'.repeat(65)],
    ...['a-wal', 'a-shm', 'a-journal'],
  ])('is not %j', (name) => {
    expect(isArchiveName(name)).toBe(false);
  });

  it('is the time to the millisecond, unless one is given', () => {
    const name = archiveNameAt(new Date('2026-01-02T03:04:05.678Z'));
    expect(name).toBe('2026-01-02T03-04-05-678');
    expect(isArchiveName(name)).toBe(true);
  });

  it('leads to a file beside the database', () => {
    expect(exportPath('.app', 'a')).toBe('.app/knowledge.db.export-a.jsonl');
  });
});
