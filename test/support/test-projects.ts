import { afterAll } from 'vitest';
import { TempProjects } from './temp-project.js';

/** Projects of a test file, or of a suite, that are removed at its end. */
export function testProjects(): TempProjects {
  const projects = new TempProjects();
  afterAll(() => projects.removeAll());
  return projects;
}
