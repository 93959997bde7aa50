import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processesOf } from '../support/processes.js';
import { asShipped, eventually } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, tempDirectory } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

asShipped();

/** I6 of RELIABILITY.md: what a service has taken, it gives back. */
describe.runIf(process.platform === 'linux')('a service', () => {
  const projects = testProjects();
  const scratch = tempDirectory('knowledge-scratch-');
  let client: Client;
  beforeAll(async () => {
    client = await startClient('hybrid', { TMPDIR: scratch });
  });
  afterAll(async () => {
    await client.service.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Much of what a client may do to a project, twice, and what fails. */
  async function used(project: TempProject): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      okBody(await client.rebuild(project));
      project.write('a.md', `the tapir of round ${round}`);
      await client.search(project, 'tapir OR (okapi');
      await client.stats(project);
      await client.post('/x/notes', project, {
        title: `Note ${round}`,
        content: `a kudu ${round}`,
      });
      await client.post('/x/notes', project, { title: 'No', content: '' });
      await client.post('/x/doctor', project);
      await client.post('/x/compact', project, { category: 'none' });
    }
  }

  test('has no more descriptors, threads and children after more of the same work', async () => {
    const { pid } = client.service.process;
    const project = projects.make({ 'a.md': 'the tapir' });
    const counts = () => {
      const processes = processesOf(pid);
      const files = processes.flatMap(filesOf);
      const others = files.filter((path) => !path.startsWith(project.path));
      const gone = files.filter((path) => / \(deleted\)$|\.replaced-/.test(path));
      const threads = processes.flatMap((id) => readdirSync(`/proc/${id}/task`)).length;
      return { others: others.length, gone, threads, processes: processes.length };
    };
    await used(project);
    const before = counts();
    for (let round = 0; round < 3; round += 1) await used(project);
    await eventually(() => counts().others <= before.others + 2);
    expect(counts().gone).toEqual([]);
    expect(counts().threads).toBeLessThanOrEqual(before.threads + 2);
    expect(counts().processes).toBe(before.processes);
  });

  test('opens the files of a project in its workers only', async () => {
    const [pid = 0, ...workers] = processesOf(client.service.process.pid);
    const project = projects.make({ 'a.md': 'the tapir' });
    await used(project);
    const opened = (id: number) => filesOf(id).filter((path) => path.startsWith(project.path));
    expect(workers.flatMap(opened)).toContain(project.at('.knowledge/knowledge.db'));
    expect(opened(pid)).toEqual([]);
  });

  test('leaves no temporary file in a project or elsewhere, and nothing but the store', async () => {
    const project = projects.make({ 'a.md': 'the tapir' });
    await used(project);
    const files = readdirSync(project.path, { recursive: true }).map(String);
    expect(files.filter((name) => /tmp|temp|\.new|\.part|corrupt/i.test(name))).toEqual([]);
    expect(readdirSync(project.path).toSorted()).toEqual(['.knowledge', 'a.md']);
    await client.service.stop();
    expect(readdirSync(scratch)).toEqual([]);
    expect(
      readdirSync(project.at('.knowledge')).filter((name) => /-(wal|shm)$/.test(name)),
    ).toEqual([]);
  });
});

/** What each descriptor of a process is open on. */
function filesOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // It was closed meanwhile.
    }
  });
}
