import { request } from 'node:http';
import type { Client } from '../../test/support/running-service-calls.js';
import type { TempProject } from '../../test/support/temp-project.js';

/** Posts about a project, and waits for the answer however long it takes: `fetch` gives up after five minutes. */
export function patientPost(
  { service }: Client,
  path: string,
  project: TempProject,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(service.url + path, { method: 'POST', headers }, (response) => {
      const parts: string[] = [];
      response.setEncoding('utf8');
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode, text: parts.join('') }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ projectPath: project.path }));
  });
}
