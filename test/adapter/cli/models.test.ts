import { describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { testProjects } from '../../support/test-projects.js';

const line = new CommandLine({ directory: testProjects().make().path });

describe('models', () => {
  it('says which model is meant, and what downloads it', async () => {
    const { code, out, err } = await line.run('models');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^\S+ is not in \S+models; "knowledge-store models pull" downloads it\.\nTo make vectors about five times as fast, .*KNOWLEDGE_RUNTIME=auto.*\n$/,
    );
  });
});

it('models list is the same as models', async () => {
  expect(await line.run('models', 'list')).toEqual(await line.run('models'));
});

describe('models pull', () => {
  it('cannot download without a network, and says so in one line', async () => {
    const { code, out, err } = await line.run('models', 'pull');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^knowledge-store: The embedding model is not available: [^\n]+\n$/);
  });
});
