import { cpSync } from 'node:fs';
import { startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';

/** `f0`, `f1`, … */
export function featureNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `f${index}`);
}

/** A project whose database is there, empty and closed. */
export async function emptyStore(): Promise<TempProject> {
  const project = new TempProject();
  const client = await startClient('hybrid');
  await client.open(project);
  await client.service.stop();
  return project;
}

export function copyOf(template: TempProject): TempProject {
  const project = new TempProject();
  cpSync(template.path, project.path, { recursive: true });
  return project;
}
