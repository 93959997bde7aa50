import { beforeEach, describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import { JsonSettingsSource } from '../../../src/adapters/files/json-settings-source.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
let project: TempProject;
let files: CountingFiles;
let logger: SilentLogger;
let settings: JsonSettingsSource;

beforeEach(() => {
  project = projects.make();
  files = new CountingFiles(appDirectories('.knowledge'));
  logger = new SilentLogger();
  settings = new JsonSettingsSource(files, appDirectories('.knowledge'), logger);
});

describe('settings.json', () => {
  it('is read once for many searches, and again when it was changed', async () => {
    project.writeSettings({ maxChunkSize: 100 });
    for (let i = 0; i < 3; i += 1) {
      expect(await settings.read(project.path)).toMatchObject({ maxChunkSize: 100 });
    }
    expect(files.readings).toBe(1);
    project.writeSettings({ maxChunkSize: 1000 });
    expect(await settings.read(project.path)).toMatchObject({ maxChunkSize: 1000 });
    project.delete('.knowledge/settings.json');
    expect(await settings.read(project.path)).toEqual(DEFAULT_SETTINGS);
  });

  it.each([
    ['{', 'The file is not JSON.'],
    ['[]', 'knowledgeStore must be an object.'],
    ['{"knowledge-store": {}}', 'knowledge-store is not read: the key is knowledgeStore.'],
    [' '.repeat(64 * 1024 + 1), 'The file was not read: it is larger than 64 kB.'],
  ])('means defaults and one warning where it is %j', async (text, problem) => {
    project.write('.knowledge/settings.json', text);
    for (let i = 0; i < 3; i += 1) {
      const read = await settings.read(project.path);
      expect(read).toEqual({ ...DEFAULT_SETTINGS, problems: [problem] });
    }
    expect(logger.entries).toMatchObject([{ level: 'warn', fields: { problems: [problem] } }]);
  });

  it('leaves the keys of other programs alone', async () => {
    project.write('.knowledge/settings.json', '{"knowledge": {}, "knowledgeStore": {}, "mcp": 1}');
    expect(await settings.read(project.path)).toEqual(DEFAULT_SETTINGS);
    project.write('.knowledge/settings.json', '{"knowledgeBase": {}, "mcp": 1}');
    expect(await settings.read(project.path)).toEqual(DEFAULT_SETTINGS);
  });

  it('reports at most 20 problems, each of at most 300 characters', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(1000)}${i}`);
    project.writeSettings(Object.fromEntries(names.map((name) => [name, 1])));
    await settings.read(project.path);
    const problems = logger.entries[0]?.fields['problems'] as readonly string[];
    expect(problems).toHaveLength(21);
    expect(problems[20]).toBe('There are 30 more.');
    expect(Math.max(...problems.map(({ length }) => length))).toBe(300);
  });
});

class CountingFiles extends FileSystemProjectFiles {
  readings = 0;

  override readText(...parameters: Parameters<FileSystemProjectFiles['readText']>) {
    this.readings += 1;
    return super.readText(...parameters);
  }
}
