import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions } from './family.js';
import { copyOf, indexedProject } from './projects.js';
import type { Random } from './random.js';

const PAGE = 4096;

/** F9: a database that is cut, has a page overwritten (each in turn), or flipped bits. */
export const damaged: FaultFamily = {
  name: 'F9',
  title: 'damaged database files',
  defaultRounds: 60,
  async run({ rounds, random }) {
    const client = await startClient('hybrid');
    const template = await indexedProject(12);
    const wrong: string[] = [];
    const unnoticed: string[] = [];
    let survived = 0;
    for (let round = 0; round < rounds; round += 1) {
      const project = copyOf(template);
      const damage = damageOf(project.database, round, random);
      const answers = [
        await client.search(project, 'apple'),
        await client.stats(project),
        await settled(() => client.rebuild(project)),
        await client.search(project, 'apple'),
      ];
      const odd = answers.filter(({ status }) => ![200, 409, 503].includes(status));
      const logged =
        odd.length > 0 ? client.service.stderr().trim().split('\n').slice(-2).join('\n') : '';
      wrong.push(...odd.map(({ status, text }) => `${damage}: HTTP ${status}: ${text} ${logged}`));
      if (!client.service.process.isRunning()) throw new Error(`${damage}: the service has ended`);
      if (answers.at(-1)?.status === 200) {
        survived += 1;
        const problems = problemsIn(project.database, { project: project.path });
        if (problems.length > 0) unnoticed.push(`${damage}: ${problems[0]}`);
      }
      project.remove();
    }
    await client.service.stop();
    template.remove();
    const notes = [
      `${survived} of ${rounds} were served in the end; the others were refused`,
      `${unnoticed.length} of these keep damage that the service did not notice`,
      ...unnoticed.slice(0, 5),
    ];
    return { rounds, acknowledged: survived, lost: 0, wrong, notes };
  },
  async negativeControl({ random }: FaultOptions) {
    const template = await indexedProject(12);
    const project = copyOf(template);
    damageOf(project.database, 1, random);
    const problems = problemsIn(project.database);
    for (const each of [project, template]) each.remove();
    return problems;
  },
};

function damageOf(path: string, round: number, random: Random): string {
  const file = readFileSync(path);
  const pages = file.length / PAGE;
  const kind = (['truncated', 'page', 'bits'] as const)[round % 3] ?? 'page';
  if (kind === 'truncated') {
    const size = random.below(file.length);
    writeFileSync(path, file.subarray(0, size));
    return `cut to ${size} of ${file.length} bytes`;
  }
  if (kind === 'page') {
    const page = Math.floor(round / 3) % pages;
    random.bytes(PAGE).copy(file, page * PAGE);
    writeFileSync(path, file);
    return `page ${page + 1} of ${pages} overwritten`;
  }
  const bits = Array.from({ length: 20 }, () => random.below(file.length * 8));
  for (const bit of bits) file[bit >> 3] = (file[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  writeFileSync(path, file);
  return `20 bits flipped, the first in byte ${(bits[0] ?? 0) >> 3}`;
}

/** Asks again while the store is being refilled, for up to 5 s. */
async function settled(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask();
    if (answer.status !== 503 || attempt === 50) return answer;
    if (!/refilled|replaced/.test(answer.text)) return answer;
    await pause(100);
  }
}
