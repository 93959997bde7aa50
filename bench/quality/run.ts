import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChunkingReport, chunkingTable, runChunking } from './chunking-run.js';
import { collectionNames, readCollection, withoutSomeVectors } from './collection.js';
import { type Command, HELP, readCommand } from './command-line.js';
import { relevanceTable, runRelevance } from './relevance-run.js';
import { runSet } from './set-run.js';
import type { SetReport } from './summary.js';
import { meansTable, setTable, versionsTable } from './text-report.js';
import { recordedVersions, recordVersion, versionOf } from './versions.js';

try {
  const command = readCommand(process.argv.slice(2));
  if (command === undefined) console.log(HELP);
  else await run(command);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(command: Command): Promise<void> {
  if (command.part === 'relevance') return runRelevancePart(command);
  const sets = command.part === 'sets' ? await runSets(command) : [];
  const chunking = command.part === 'chunking' ? await runChunkLimits(command) : [];
  if (sets.length > 0) {
    const version = versionOf(command.record ?? 'this run', sets);
    console.log(`\n${meansTable(sets)}\n\n${versionsTable([...recordedVersions(), version])}`);
    if (command.record !== undefined) recordVersion(version);
  }
  mkdirSync(command.out, { recursive: true });
  const file = join(command.out, 'report.json');
  const { model, settings } = command;
  writeFileSync(file, `${JSON.stringify({ model, settings, sets, chunking }, shortNumbers)}\n`);
  console.log(`\nWritten: ${file}`);
}

/** Rounds to six decimals. */
function shortNumbers(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}

/** Measures relevance. Prints a table, but writes no report. */
async function runRelevancePart(command: Command): Promise<void> {
  const sets = setNames(command).map((name) => readCollection(command.data, name));
  console.log(relevanceTable(await runRelevance(sets, command.model)));
}

/**
 * The sets to measure.
 * @throws Error if a requested set does not exist
 */
function setNames({ data, sets }: Command): readonly string[] {
  const known = collectionNames(data);
  const unknown = sets?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`No set "${unknown}"; there are ${known.join(', ')}.`);
  return sets ?? known;
}

async function runSets(command: Command): Promise<readonly SetReport[]> {
  const reports: SetReport[] = [];
  for (const name of setNames(command)) {
    const collection = readCollection(command.data, name);
    const vectors = { all: collection, some: withoutSomeVectors(collection) };
    const report = await runSet(vectors[command.vectors], {
      ...command,
      onMode: (mode) => progress(`${name}, ${mode}`),
    });
    progress('');
    console.log(`\n${setTable(report)}`);
    reports.push(report);
  }
  return reports;
}

async function runChunkLimits(command: Command): Promise<readonly ChunkingReport[]> {
  const reports: ChunkingReport[] = [];
  for (const maxTokens of command.chunkTokens) {
    progress(`chunking-eval, chunks of at most ${maxTokens} tokens`);
    const folder = join(command.data, 'chunking-eval');
    const report = await runChunking(folder, { ...command, maxTokens });
    progress('');
    console.log(`\n${chunkingTable(report)}`);
    reports.push(report);
  }
  return reports;
}

/** Overwrites a line with the progress. Does nothing without a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
