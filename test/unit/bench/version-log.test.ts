import { describe, expect, it } from 'vitest';
import { VersionLog } from '../../../bench/faults/version-log.js';

describe('the log of versions that a fault run wrote', () => {
  function loggedVersions(): VersionLog {
    const log = new VersionLog();
    for (const version of [1, 5, 45, 85]) log.try('docs/3-5.md', version);
    log.confirm('docs/3-5.md', 5);
    return log;
  }

  it.each([5, 45, 85])('allows version %i, tried last or before a later attempt', (version) => {
    expect(loggedVersions().allows('docs/3-5.md', version)).toBe(true);
  });

  it.each([0, 1, 6, 86])('does not allow version %i, older or never tried', (version) => {
    expect(loggedVersions().allows('docs/3-5.md', version)).toBe(false);
  });

  it('allows nothing of a source that was never tried', () => {
    expect(loggedVersions().allows('docs/other.md', 0)).toBe(false);
  });
});
