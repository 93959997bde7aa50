import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { ServiceProcess } from '../../test/support/running-service.js';
import { API } from '../../test/support/running-service-calls.js';
import { ServiceAtUrl } from '../../test/support/service-at-url.js';
import { tempDirectory } from '../../test/support/temp-project.js';
import type { FuzzFamily, FuzzOptions } from './family.js';
import { HostileProject } from './hostile/hostile-project.js';
import { CANARY, Site, TRIGGER_MARK } from './hostile/site.js';
import { visited } from './hostile/visits.js';

/** Longer than a process may hang before it is replaced. */
const WITNESS_MS = 25_000;
const MOST_FAILURES = 5;

/** B7: hostile projects must harm nothing but the responses to their own requests. */
export const hostileProjects: FuzzFamily = {
  name: 'hostile',
  title: 'B7 hostile projects',
  defaultRuns: 300,
  run,
  /** A database as if the service had stored text from outside. */
  async negativeControl({ seed }: FuzzOptions) {
    const site = await Site.make();
    const project = new HostileProject(site, seed);
    project.scene.project.write('.knowledge/knowledge.db', `a page with ${CANARY}`);
    const traces = tracesIn(project.path);
    project.stop();
    site.remove();
    if (traces.length > 0) throw new Error(traces.join('; '));
  },
};

async function run({ runs, seed }: FuzzOptions): Promise<readonly string[]> {
  const site = await Site.make();
  const environment = { PORT: '0', KNOWLEDGE_OFFLINE: '1', KNOWLEDGE_ROOTS: site.roots };
  const process = new ServiceProcess({ ...environment, DATA_DIR: tempDirectory() }, 'node');
  const service = new ServiceAtUrl(await process.ready());
  await service.post('/api/knowledge/rebuild', { projectPath: site.witness.path });
  const failures: string[] = [];
  for (let made = 0; made < runs && failures.length < MOST_FAILURES; made += 1) {
    const project = new HostileProject(site, seed + made);
    // Traces from planting: a planted statement may fire a trigger that was planted before it.
    const planted = tracesIn(project.path);
    const problems = await visited(service, project);
    problems.push(...tracesIn(project.path).filter((trace) => !planted.includes(trace)));
    project.stop();
    problems.push(...(await missingFrom(service, site)), ...site.changesOutside());
    if (!process.isRunning()) problems.push('the service ended');
    if (problems.length > 0) problems.push(process.stderr().slice(-3000));
    await project.remove();
    if (problems.length === 0) continue;
    failures.push(`seed ${project.seed} (${project.plants.join(', ')}): ${problems.join('; ')}`);
    stdout.write(`${failures.at(-1)}\n`);
    if (!process.isRunning()) break;
  }
  await process.stop();
  site.remove();
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return [`${runs} projects, and another one answered after each`];
}

/** Checks that another project is still served, whatever this one does. */
async function missingFrom({ url }: ServiceAtUrl, { witness }: Site): Promise<readonly string[]> {
  try {
    const response = await fetch(`${url}${API}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectPath: witness.path, query: 'walrus' }),
      signal: AbortSignal.timeout(WITNESS_MS),
    });
    const text = await response.text();
    return text.includes('walrus') ? [] : [`another project: ${response.status} ${text}`];
  } catch (error) {
    return [`another project has no answer: ${String(error)}`];
  }
}

/** Traces in the databases of a project that show that hostile SQL ran, or text from outside was read. */
function tracesIn(projectPath: string): readonly string[] {
  const folder = join(projectPath, '.knowledge');
  return namesIn(folder)
    .filter((name) => name.startsWith('knowledge.db') && lstatSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name)))
    .flatMap((bytes) => [
      ...(bytes.includes(TRIGGER_MARK) ? ['hostile SQL ran'] : []),
      ...(bytes.includes(CANARY) ? ['text from outside was stored'] : []),
    ]);
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
