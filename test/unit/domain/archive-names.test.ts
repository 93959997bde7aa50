import { describe, expect, it } from 'vitest';
import {
  archiveNameAt,
  archivePath,
  backupFileName,
  backupNameOf,
  isArchiveName,
} from '../../../src/domain/transfer/archive-names.js';

describe('the name of a backup or an export', () => {
  it.each(['a', 'A-1_b.c', '7', 'a'.repeat(64), 'wal', 'a-wal-b', 'a.wal'])('may be %s', (name) => {
    expect(isArchiveName(name)).toBe(true);
    expect(backupNameOf(backupFileName(name))).toBe(name);
  });

  it.each([
    ...['', '.a', '-a', '_a', 'a/b', 'a b', 'ä', 'a\n', 'a'.repeat(65)],
    ...['a-wal', 'a-shm', 'a-journal'],
  ])('is not %j', (name) => {
    expect(isArchiveName(name)).toBe(false);
    expect(backupNameOf(`knowledge.db.backup-${name}`)).toBeUndefined();
  });

  it('is the time to the second, unless one is given', () => {
    const name = archiveNameAt(new Date('2026-01-02T03:04:05.678Z'));
    expect(name).toBe('2026-01-02T03-04-05');
    expect(isArchiveName(name)).toBe(true);
  });

  it('is that of no other file', () => {
    expect(backupNameOf('knowledge.db.corrupt-a')).toBeUndefined();
    expect(backupNameOf('an-old-knowledge.db.backup-a')).toBeUndefined();
  });

  it('leads to a file beside the database', () => {
    expect(archivePath('.app', 'backup', 'a')).toBe('.app/knowledge.db.backup-a');
    expect(archivePath('.app', 'export', 'a')).toBe('.app/knowledge.db.export-a.jsonl');
  });
});
