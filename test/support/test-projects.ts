import { afterAll } from 'vitest';
import { TempProjects } from './temp-project.js';

/** Creates projects for a test file or suite, and removes them at its end. */
export function testProjects(): TempProjects {
  const projects = new TempProjects();
  afterAll(() => projects.removeAll());
  return projects;
}
