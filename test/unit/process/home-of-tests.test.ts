import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { commandEnvironment, runProgram } from '../../support/running-service.js';

it('A command of a test has a home of its own, where no service of the person who runs the tests is found', async () => {
  const program = [process.execPath, '-p', 'os.homedir()'];
  const { out } = await runProgram(program, '/', commandEnvironment());
  expect(out.trim()).toBe(process.env['KNOWLEDGE_TEST_HOME']);
  expect(out.trim()).not.toBe(homedir());
});
