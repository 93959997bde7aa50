import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type HubAnswer,
  halfThen,
  ModelHub,
  notFound,
  page,
  WEIGHTS,
  whole,
} from '../../test/support/model-hub.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { type TempProject, tempDirectory } from '../../test/support/temp-project.js';
import { TINY_MODEL, tinyModelFiles } from '../../test/support/tiny-model.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { featureProject } from './projects.js';

const SEARCHES = 10;
/** No search waits for a model that is not there; all of this is for a busy machine. */
const SLOWEST_MS = 5_000;
/** A hub that stalls is given up after 30 s, and a failed load is tried again after a pause that grows. */
const RECOVERED_MS = 90_000;

/** How the hub sends the weights, or what happens to the disk, until it is mended. */
const WAYS: Readonly<Record<string, HubAnswer | 'full disk' | 'half a file'>> = {
  'missing on the hub': notFound,
  'cut off after the half': halfThen((response) => response.destroy()),
  'half of it, declared as all': (response, content) =>
    void response.end(content.subarray(0, content.length / 2)),
  'a page of a captive portal': page,
  'half a file from an earlier download': 'half a file',
  'a full disk': 'full disk',
  'stalls in the middle': halfThen(() => {}),
};

/** F13: a model that cannot be loaded, then can; and several services that load it at once. */
export const modelDownloads: FaultFamily = {
  name: 'F13',
  title: 'models that cannot be loaded',
  defaultRounds: Object.keys(WAYS).length + 1,
  async run({ rounds, processes }) {
    const wrong: string[] = [];
    let slowestMs = 0;
    for (const [way, answer] of Object.entries(WAYS).slice(0, rounds)) {
      const seen = await observed(answer);
      wrong.push(...seen.wrong.map((sentence) => `${way}: ${sentence}`));
      slowestMs = Math.max(slowestMs, seen.slowestMs);
    }
    if (rounds > Object.keys(WAYS).length) wrong.push(...(await loadedTogether(processes)));
    const notes = [`the slowest search took ${Math.round(slowestMs)} ms`];
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes };
  },
  /** A hub that works is not to be taken for one that does not. */
  async negativeControl() {
    return (await observed(whole)).wrong;
  },
};

async function observed(way: HubAnswer | 'full disk' | 'half a file') {
  const hub = await ModelHub.start();
  const data = tempDirectory('knowledge-data-');
  const [project, wrong] = [featureProject(3), [] as string[]];
  if (typeof way === 'function') hub.answer(WEIGHTS, way);
  if (way === 'full disk') mount(data, '-o', 'size=16k');
  if (way === 'half a file') {
    hub.answer(WEIGHTS, notFound);
    plantHalf(data);
  }
  const client = await startClient('hybrid', environment(hub, data));
  let slowestMs = 0;
  try {
    okBody(await client.rebuild(project));
    if (way === whole) await eventually(isHybrid(client, project), { withinMs: RECOVERED_MS });
    for (let search = 0; search < SEARCHES; search += 1) {
      const begin = performance.now();
      const { status, body, text } = await client.search(project, 'apple');
      slowestMs = Math.max(slowestMs, performance.now() - begin);
      if (status !== 200) wrong.push(`a search is ${status}: ${text}`);
      else if (body.retrieval_mode !== 'bm25') wrong.push(`a search is ${body.retrieval_mode}`);
      await pause(100);
    }
    hub.behave();
    if (way === 'full disk') execFileSync('mount', ['-o', 'remount,size=64m', data]);
    wrong.push(...(await unrecovered(client, project, data)));
  } finally {
    await client.service.stop();
    await hub.stop();
    wrong.push(...leftovers(data));
    if (way === 'full disk') execFileSync('umount', ['-l', data]);
  }
  if (slowestMs > SLOWEST_MS) wrong.push(`a search took ${Math.round(slowestMs)} ms`);
  wrong.push(...problemsIn(project.database, { project: project.path }));
  project.remove();
  return { wrong, slowestMs };
}

/** Several services with one data directory and no model in it. */
async function loadedTogether(processes: number): Promise<readonly string[]> {
  const hub = await ModelHub.start();
  const data = tempDirectory('knowledge-data-');
  const projects = Array.from({ length: processes }, () => featureProject(3));
  const clients = await Promise.all(
    projects.map(() => startClient('hybrid', environment(hub, data))),
  );
  const wrong: (readonly string[])[] = await Promise.all(
    clients.map(async (client, index) => {
      const project = projects[index] as TempProject;
      okBody(await client.rebuild(project));
      const found = await unrecovered(client, project, data);
      await client.service.stop();
      return [...found, ...problemsIn(project.database, { project: project.path })];
    }),
  );
  await hub.stop();
  wrong.push(leftovers(data));
  for (const project of projects) project.remove();
  return wrong.flat().map((sentence) => `loaded together: ${sentence}`);
}

/** What is missing although everything works now: hybrid searches and whole files. */
async function unrecovered(
  client: Client,
  project: TempProject,
  data: string,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  await eventually(isHybrid(client, project), { withinMs: RECOVERED_MS, everyMs: 200 }).catch(() =>
    wrong.push(`it is not hybrid: ${JSON.stringify(client.service.stderr().slice(-500))}`),
  );
  for (const [name, content] of tinyModelFiles()) {
    const file = readFileSync(join(data, 'models', TINY_MODEL, name));
    if (!file.equals(content)) wrong.push(`${name} is not what the hub has`);
  }
  return wrong;
}

function isHybrid(client: Client, project: TempProject): () => Promise<boolean> {
  return async () => okBody(await client.search(project, 'apple')).retrieval_mode === 'hybrid';
}

/** Downloads that nobody works on any more. */
function leftovers(data: string): readonly string[] {
  return readdirSync(join(data, 'models'))
    .filter((name) => name.startsWith('.download'))
    .map((name) => `${name} is left over`);
}

/** As a download leaves the files, but with half of the weights. */
function plantHalf(data: string): void {
  const folder = join(data, 'models', TINY_MODEL);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  for (const [name, content] of tinyModelFiles()) {
    const kept = name === WEIGHTS ? content.subarray(0, content.length / 2) : content;
    writeFileSync(join(folder, name), kept);
  }
  writeFileSync(join(folder, '.downloaded'), '');
}

function mount(folder: string, ...options: readonly string[]): void {
  execFileSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', folder]);
}

function environment(hub: ModelHub, data: string): Readonly<Record<string, string>> {
  return {
    DATA_DIR: data,
    KNOWLEDGE_OFFLINE: '0',
    KNOWLEDGE_MODEL: TINY_MODEL,
    KNOWLEDGE_MODEL_HOST: hub.url,
  };
}
