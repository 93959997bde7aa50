import { expect, it } from 'vitest';
import {
  agentOutputFormat,
  featureFolder,
} from '../../../src/app/ingestion/agent-output-format.js';
import { AGENT_OUTPUT_IMPORTANCE } from '../../../src/domain/limits.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';

const FILE = 'apps/web/.knowledge/features/login/agent-output.md';
const format = agentOutputFormat(new InMemoryProjectFiles(), 'v1:');

it('the end of an output is one chunk, named after its feature', () => {
  const content = '## Done\n\nAll tests pass.\n';
  const heading = 'Agent output: login';
  const chunk = { heading, content, importance: AGENT_OUTPUT_IMPORTANCE, line: 1 };
  expect(format.cut(content, FILE)).toEqual({ chunks: [chunk], names: {} });
});

it.each(['', ' \n\t\n'])('a blank output has no chunks, and no problems: %j', (text) => {
  expect(format.cut(text, FILE).chunks).toEqual([]);
  expect(format.problems(text, FILE)).toEqual([]);
});

it('the folder of a file is the one it lies in', () => {
  expect(featureFolder(FILE)).toBe('login');
  expect(featureFolder('reflection.md')).toBeUndefined();
});
