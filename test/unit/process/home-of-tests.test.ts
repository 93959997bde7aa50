import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { commandEnvironment, runProgram } from '../../support/running-service.js';

it('commands in tests have their own home directory, so that they find no service of the developer', async () => {
  const program = [process.execPath, '-p', 'os.homedir()'];
  const { out } = await runProgram(program, '/', commandEnvironment());
  expect(out.trim()).toBe(process.env['KNOWLEDGE_TEST_HOME']);
  expect(out.trim()).not.toBe(homedir());
});
