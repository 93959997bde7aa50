import { AGENT_IDS } from '../agent-table.js';
import { findProject } from '../project-directory.js';
import { type PlainCommand, type ProjectCommand, SEARCHES } from './command.js';

export const connect: PlainCommand = {
  name: 'connect',
  summary: 'give a coding agent access to this project',
  description:
    'Lets a coding agent use this project: adds an entry for "knowledge-store mcp" to the agent\'s settings. Other entries stay as they are. For an agent that is not listed, copy the entry that "connect claude --print" shows.',
  arguments: [{ flags: '<agent>', field: 'agent', help: 'the agent', choices: AGENT_IDS }],
  fields: ['projectPath'],
  options: [
    ['--hooks', 'also run session-start, session-prompt and session-end as hooks of Claude Code'],
    ['--instructions', 'also add one line to CLAUDE.md or AGENTS.md'],
    ['--sessions', 'also keep conversations with the agent as project files'],
    ['--print', 'show the changes without writing them'],
    [
      '--remove',
      'remove the entries; with --sessions, only stop keeping conversations and undo the other options given',
    ],
  ],
  examples: [
    'connect claude --hooks --sessions',
    'connect vscode --print',
    'connect codex --remove',
  ],
  run: async (parts, { projectPath, ...given }) => {
    const { connectAgent } = await import('../connecting.js');
    const { path } = await findProject(parts, projectPath);
    await connectAgent(parts, path, given);
  },
};

export const sessionStart: ProjectCommand = {
  name: 'session-start',
  summary: 'print notes and lessons for the current task',
  description:
    'Prints notes and lessons for a task, at most 1,500 tokens, or nothing if none are relevant. For agent hooks.',
  options: [
    ['--task <text>', 'the task; default: the git branch and the subject of its last commit'],
  ],
  examples: ['session-start', 'session-start --task "retry failed uploads"'],
  needs: { ...SEARCHES, logLevel: 'silent', output: 'text' },
  work: async (session, { task }) =>
    (await import('../session-start.js')).printKnown(session, task),
};

export const sessionPrompt: PlainCommand = {
  name: 'session-prompt',
  summary: 'print notes and lessons for a prompt',
  description:
    'Prints the notes, lessons and documents that clearly fit a prompt, in at most 600 tokens, each once per session. Usually prints nothing. For agent hooks: the prompt is read as JSON from standard input.',
  fields: ['projectPath'],
  examples: [`session-prompt <<< '{"prompt": "Why do uploads fail?", "session_id": "1"}'`],
  run: async (parts, { projectPath }) =>
    (await import('../session-prompt.js')).printForPrompt(parts, projectPath),
};

export const sessionEnd: ProjectCommand = {
  name: 'session-end',
  summary: 'index files written during the session',
  description: 'Indexes files written during a session; prints nothing. For agent hooks.',
  examples: ['session-end'],
  needs: { model: 'installed', logLevel: 'silent', output: 'text' },
  work: async (session) => {
    const { project, operations } = session;
    if (!project.isInitialized) return;
    await operations.ingest(project.path);
  },
};
