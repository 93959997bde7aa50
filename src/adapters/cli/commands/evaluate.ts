import type { ProjectCommand } from './command.js';

export const evaluate: ProjectCommand = {
  name: 'eval',
  summary: 'measure how well your own questions are answered',
  description:
    'Asks the questions in a file and reports how the right results rank: as people and agents search (reading), as the specification says (specified), and by keywords alone. The file is a YAML or JSON list of { question, expect }; expect is a file, file#heading, some text of the right chunk, or none for a question without an answer.',
  arguments: [
    { flags: '[file]', field: 'file', help: 'the questions (default with --init: questions.yaml)' },
  ],
  options: [
    ['--init', "write a starter file of ten questions, taken from the project's headings"],
    ['--min-first <n>', 'exit with 1 if reading ranks fewer right results first'],
  ],
  examples: ['eval --init', 'eval questions.yaml', 'eval questions.yaml --min-first 8'],
  needs: { access: 'searches', model: 'installed' },
  work: async (session, given) => {
    const { startQuestions, evaluateFile } = await import('../evaluation.js');
    return given['init'] === true ? startQuestions(session, given) : evaluateFile(session, given);
  },
};
