import { TestRunner } from 'vitest';
import { SERVER_URL } from './postgres-under-test.js';
import { TempProject } from './temp-project.js';

/**
 * Loaded before the tests in test/rest when they run again on PostgreSQL: the services that they start use the server
 * of this run. A test is skipped as soon as it asks for the SQLite file of a project.
 */
process.env['KNOWLEDGE_TEST_STORE'] = SERVER_URL;
TempProject.beforeLookingInside = () => {
  TestRunner.getCurrentTest()?.context.skip('it looks into knowledge.db');
};
