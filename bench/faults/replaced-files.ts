import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { SavedTexts } from './saved-texts.js';

const SEARCHERS = 3;
const FILES = 30;

/** F27: the database is removed, moved away and back, or replaced by a copy, while clients search and save. */
export const replacedFiles: FaultFamily = {
  name: 'F27',
  title: 'databases that are removed, moved and replaced',
  defaultRounds: 30,
  async run({ rounds, random }) {
    const client = await startClient('hybrid');
    const project = new TempProject(files());
    okBody(await client.rebuild(project));
    copyFileSync(project.database, copyOf(project));
    const saved = new SavedTexts();
    const searched = new Map<number, number>();
    const ending = new AbortController();
    const load = [
      until(ending.signal, () => saved.save(client, project)),
      ...Array.from({ length: SEARCHERS }, () =>
        until(ending.signal, () => search(client, project, searched)),
      ),
    ];
    const wrong: string[] = [];
    for (let round = 0; round < rounds && client.service.process.isRunning(); round += 1) {
      await pause(random.below(150));
      await REPLACEMENTS[round % REPLACEMENTS.length]?.(project);
    }
    await pause(500);
    ending.abort();
    await Promise.all(load);
    if (!client.service.process.isRunning()) wrong.push('the service has ended');
    // The last request may coincide with the last replacement.
    await eventually(async () => okBody(await client.post('/x/reindex', project)));
    const lost = [...saved.missing(project), ...(await missingFiles(client, project))];
    await client.service.stop();
    wrong.push(...oddIn(saved.statuses), ...oddIn(searched));
    wrong.push(...problemsIn(project.database, { project: project.path }));
    project.remove();
    const notes = [`saves ${shown(saved.statuses)}, searches ${shown(searched)} by status`];
    return {
      rounds,
      acknowledged: saved.count,
      lost: lost.length,
      wrong: [...lost, ...wrong],
      notes,
    };
  },
  /** Looks for a confirmed note in a database that was removed and not filled again. */
  async negativeControl() {
    const client = await startClient('hybrid');
    const project = new TempProject(files());
    const saved = new SavedTexts();
    await saved.save(client, project);
    await client.service.stop();
    const empty = await startClient('hybrid');
    const other = new TempProject();
    await empty.open(other);
    await empty.service.stop();
    const missing = saved.missing(other);
    for (const each of [project, other]) each.remove();
    return missing;
  },
};

const REPLACEMENTS: readonly ((project: TempProject) => void | Promise<void>)[] = [
  ({ database }) => rmSync(database, { force: true }),
  async ({ database }) => {
    if (!existsSync(database)) return;
    renameSync(database, `${database}-away`);
    await pause(20);
    renameSync(`${database}-away`, database);
  },
  (project) => {
    const fresh = `${copyOf(project)}-fresh`;
    copyFileSync(copyOf(project), fresh);
    renameSync(fresh, project.database);
  },
];

function copyOf({ path }: TempProject): string {
  return `${path}/copy.db`;
}

function files(): Readonly<Record<string, string>> {
  const names = Array.from({ length: FILES }, (_, index) => `docs/${index}.md`);
  return Object.fromEntries(names.map((name, i) => [name, `## Walrus\n\nThe walrus${i} swims.\n`]));
}

async function until(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await work();
}

async function search(client: Client, project: TempProject, statuses: Map<number, number>) {
  const status = await client.search(project, 'walrus').then(
    (answer) => answer.status,
    () => 0,
  );
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

async function missingFiles(client: Client, project: TempProject): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let file = 0; file < FILES; file += 1) {
    const found = await client.ids(project, `walrus${file}`);
    if (!found.includes(`docs/${file}.md#0`)) missing.push(`I5 docs/${file}.md is not found`);
  }
  return missing;
}

function oddIn(statuses: ReadonlyMap<number, number>): readonly string[] {
  return [...statuses]
    .filter(([status]) => ![200, 201, 503].includes(status))
    .map(([status, count]) => `${count} answers with the status ${status}`);
}

function shown(statuses: ReadonlyMap<number, number>): string {
  return JSON.stringify(Object.fromEntries(statuses));
}
