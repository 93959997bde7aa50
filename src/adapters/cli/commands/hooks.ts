import { type PlainCommand, type ProjectCommand, SEARCHES } from './command.js';

export const sessionStart: ProjectCommand = {
  name: 'session-start',
  summary: 'print what is known about the task at hand',
  description:
    'Prints what is known about a task, in at most 1,500 tokens; nothing if nothing is relevant. For the hooks of agents.',
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
  summary: 'print what is known for a prompt',
  description:
    'Prints the notes, lessons and documents that clearly fit a prompt, in at most 600 tokens, each once in a session; mostly nothing. For the hooks of agents: the prompt is read as JSON from standard input.',
  fields: ['projectPath'],
  examples: [`session-prompt <<< '{"prompt": "Why do uploads fail?", "session_id": "1"}'`],
  run: async (parts, { projectPath }) =>
    (await import('../session-prompt.js')).printForPrompt(parts, projectPath),
};

export const sessionEnd: ProjectCommand = {
  name: 'session-end',
  summary: 'index what the session has written',
  description: 'Indexes what was written in a session; prints nothing. For the hooks of agents.',
  examples: ['session-end'],
  needs: { model: 'installed', logLevel: 'silent', output: 'text' },
  work: async (session) => {
    const { project, operations } = session;
    if (!project.isInitialized) return;
    await operations.ingest(project.path);
  },
};
