import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentPrompt } from '../../../src/app/lessons/prompt-knowledge.js';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
let project: TempProject;
let asked: AgentPrompt[];

beforeEach(() => {
  project = projects.make({ '.knowledge/notes/a.md': '## A\nThe ibex climbs.\n' });
  asked = [];
});

function run(input: string | (() => Promise<string>), ...words: readonly string[]) {
  const line = new CommandLine({
    directory: project.path,
    home: projects.make().path,
    terminal: { readInput: async () => (typeof input === 'string' ? input : input()) },
    knownForPrompt: async (prompt) => {
      asked.push(prompt);
      return 'The ibex\u001b[31m climbs.\n';
    },
  });
  return line.run('session-prompt', ...words);
}
const json = (said: object) =>
  JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's1', ...said });
const QUIET = { code: 0, out: '', err: '' };

describe('session-prompt', () => {
  it('prints the knowledge for the prompt, without escape sequences', async () => {
    expect(await run(json({ prompt: 'Who climbs?' }))).toEqual({
      ...QUIET,
      out: 'The ibex climbs.\n',
    });
    expect(asked).toEqual([{ projectPath: project.path, text: 'Who climbs?', session: 's1' }]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'Who climbs?'],
    ['half of it', '{"prompt": "Who'],
    ['another value', '["prompt"]'],
    ['null', 'null'],
    ['no prompt', json({})],
    ['a prompt that is no text', json({ prompt: { text: 'Who climbs?' } })],
    ['a blank prompt', json({ prompt: ' \n\t' })],
    ['a command of the agent', json({ prompt: '/compact keep the names' })],
    ['a command with a namespace', json({ prompt: '/team:review' })],
  ])('prints nothing for %s', async (_, input) => {
    expect(await run(input)).toEqual(QUIET);
    expect(asked).toEqual([]);
  });

  it('reads a prompt that begins with a path', async () => {
    await run(json({ prompt: '/src/a.ts fails' }));
    expect(asked).toMatchObject([{ text: '/src/a.ts fails' }]);
  });

  it('prints nothing if the input cannot be read', async () => {
    const broken = async () => Promise.reject(new Error('The input is too large.'));
    expect(await run(broken)).toEqual(QUIET);
  });

  it('asks with the beginning of a long prompt', async () => {
    await run(json({ prompt: 'word '.repeat(50_000) }));
    expect(asked[0]?.text.length).toBeLessThanOrEqual(2_000);
  });

  it('looks for the project in the directory of the agent, unless one is named', async () => {
    const other = projects.make({ '.knowledge/notes/b.md': 'b', 'src/b.ts': '' });
    const said = json({ prompt: 'Who climbs?', cwd: other.at('src') });
    await run(said);
    await run(said, '--project', project.path);
    expect(asked.map(({ projectPath }) => projectPath)).toEqual([other.path, project.path]);
  });

  it('prints nothing in a directory without knowledge', async () => {
    const bare = projects.make();
    expect(await run(json({ prompt: 'Who climbs?', cwd: bare.path }))).toEqual(QUIET);
    expect(asked).toEqual([]);
  });

  it('identifies the session by its transcript if the agent names none', async () => {
    await run(JSON.stringify({ prompt: 'Who?', transcript_path: '/t.jsonl' }));
    await run(JSON.stringify({ prompt: 'Who?' }));
    expect(asked.map(({ session }) => session)).toEqual(['/t.jsonl', undefined]);
  });
});

describe('a hook', () => {
  it.each([
    ['session-prompt', '--unknown'],
    ['session-prompt', 'too', 'many'],
    ['session-start', '--task'],
    ['session-end', '--json'],
    ['--project', '/', 'session-start'],
    ['session-end', '--project', '/nowhere/at/all'],
  ])('ends with 0 and says nothing where it fails: %j', async (...words) => {
    const line = new CommandLine({ directory: project.path });
    expect(await line.run(...words)).toEqual(QUIET);
  });

  it.each(['session-start', 'session-prompt', 'session-end'])(
    'says nothing about a wrong variable: %s',
    async (name) => {
      const env = { KNOWLEDGE_APP_DIR: 'a/b', KNOWLEDGE_LOG_LEVEL: 'loud' };
      const terminal = { readInput: async () => json({ prompt: 'Who climbs?' }) };
      const line = new CommandLine({ directory: project.path, env, terminal });
      expect(await line.run(name)).toEqual(QUIET);
    },
  );

  it('ignores a prompt that only a search fits', async () => {
    const line = new CommandLine({ directory: project.path });
    const { code, err } = await line.run('search', 'session-start', '--unknown');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--unknown') });
  });
});
