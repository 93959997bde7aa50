import { cpSync } from 'node:fs';
import { okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { AcknowledgementLog } from './generations.js';

/** `f0`, `f1`, … */
export function featureNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `f${index}`);
}

/** A project with the files of so many features, not indexed. */
function featureProject(features: number): TempProject {
  const project = new TempProject();
  const log = new AcknowledgementLog();
  for (const feature of featureNames(features)) log.write(project, feature);
  return project;
}

/** Indexed and closed, so that everything is in the database file. */
export async function indexedProject(features: number): Promise<TempProject> {
  const project = featureProject(features);
  const client = await startClient('hybrid');
  okBody(await client.rebuild(project));
  await client.service.stop();
  return project;
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
