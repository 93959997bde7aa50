import { mkdirSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_FILES } from '../../../src/adapters/transformers/download/model-files.js';
import { CommandLine } from '../../support/command-line.js';
import { type TempProject, TempProjects } from '../../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

const MODEL = 'Xenova/all-MiniLM-L6-v2';

let data: TempProject;
let line: CommandLine;

beforeEach(() => {
  data = projects.make({});
  line = new CommandLine({ directory: data.path });
});

describe('models', () => {
  it('lists the configured model first, then the others', async () => {
    for (const file of MODEL_FILES) data.write(`models/a/b/${file}`, 'four');
    data.write('models/a/half/config.json', '{}');
    mkdirSync(data.at('models/.download-1/a'), { recursive: true });
    expect(JSON.parse((await line.run('models', '--json')).out)).toEqual({
      directory: data.at('models'),
      models: [
        { name: MODEL, configured: true, complete: false, bytes: 0 },
        { name: 'a/b', configured: false, complete: true, bytes: 4 * MODEL_FILES.length },
        { name: 'a/half', configured: false, complete: false, bytes: 2 },
      ],
    });
    const { out } = await line.run('models', 'list');
    expect(out).toMatch(/all-MiniLM-L6-v2 +0 B +not installed; "knowledge-store models pull"\n/);
    expect(out).toMatch(/a\/half +2 B +incomplete\n/);
  });

  it('cannot download without a network, and says so in one line', async () => {
    const { code, out, err } = await line.run('models', 'pull');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^knowledge-store: The embedding model is not available: [^\n]+\n$/);
  });
});
