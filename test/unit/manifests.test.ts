import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDirectory } from '../support/temp-project.js';

const MANIFESTS = [
  '.claude-plugin/marketplace.json',
  'plugin/.claude-plugin/plugin.json',
  'server.json',
];

const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
const { name, version, mcpName } = JSON.parse(read('package.json'));

describe('the files that agent catalogues read', () => {
  const written = tempDirectory('manifests-');
  execFileSync(process.execPath, ['scripts/write-manifests.mjs', written]);

  test.each(MANIFESTS)('%s is what the script writes', (path) => {
    // Biome has the last word on line breaks.
    expect(JSON.parse(read(path))).toEqual(JSON.parse(read(written, path)));
  });

  test('server.json keeps the limits of the registry', () => {
    const server = JSON.parse(read('server.json'));
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server).toMatchObject({ name: mcpName, version });
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(server.packages[0]).toMatchObject({ identifier: name, version });
  });

  test('the skill says under its name when it is of use', () => {
    const skill = read('plugin/skills/project-knowledge/SKILL.md');
    const [, described] =
      /^---\nname: project-knowledge\ndescription: (.+)\n---\n/.exec(skill) ?? [];
    expect(described?.length).toBeGreaterThan(0);
    expect(described?.length).toBeLessThanOrEqual(1024);
  });
});
