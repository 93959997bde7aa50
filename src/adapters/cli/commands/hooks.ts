import { type PlainCommand, type ProjectCommand, SEARCHES } from './command.js';

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
