import { startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';

/** A project with an empty, closed database. */
export async function emptyStore(): Promise<TempProject> {
  const project = new TempProject();
  const client = await startClient('hybrid');
  await client.open(project);
  await client.service.stop();
  return project;
}
