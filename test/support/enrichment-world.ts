import { onTestFinished } from 'vitest';
import { BackgroundEnrichment } from '../../src/app/enrichment/background-enrichment.js';
import { BackgroundLoop, type StepOutcome } from '../../src/app/enrichment/background-loop.js';
import type { ProjectEnrichment } from '../../src/app/enrichment/enrichment.js';
import type { Project } from '../../src/app/project.js';
import { noMetrics, referenceScales } from '../../src/app/wiring/null-objects.js';
import type { DraftChunk } from '../../src/domain/chunks/chunk.js';
import type { QuestionGenerator } from '../../src/ports/language-model.js';
import type { Leases } from '../../src/ports/project-stores.js';
import type { RelevanceScales } from '../../src/ports/relevance-scales.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { FakeQuestionGenerator } from '../fakes/fake-question-generator.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { document } from './chunks.js';
import { memoryStores, SharedDatabases } from './sqlite-stores.js';

/** A project in memory, with the real background work on its chunks until the test ends. */
export interface EnrichmentWorld<G extends QuestionGenerator = FakeQuestionGenerator> {
  readonly clock: FixedClock;
  readonly logger: SilentLogger;
  readonly embedder: FakeEmbedder;
  readonly generator: G;
  readonly data: SharedDatabases;
  readonly project: Project;
  readonly enrichment: BackgroundEnrichment;
  /** The work on `project`. */
  readonly work: ProjectEnrichment;
}

interface EnrichmentOptions<G> {
  readonly generator: G;
  readonly clock?: FixedClock;
  readonly embedder?: FakeEmbedder;
  readonly data?: SharedDatabases;
  readonly relevanceScales?: RelevanceScales;
}

export function enrichmentWorld(
  parts: Partial<EnrichmentOptions<FakeQuestionGenerator>> = {},
): Promise<EnrichmentWorld> {
  return worldWith({ generator: new FakeQuestionGenerator(), ...parts });
}

/** Like `enrichmentWorld`, with a custom generator. */
export async function worldWith<G extends QuestionGenerator>({
  generator,
  clock = new FixedClock(),
  embedder = FakeEmbedder.ready(),
  data = new SharedDatabases(),
  relevanceScales = referenceScales,
}: EnrichmentOptions<G>): Promise<EnrichmentWorld<G>> {
  const logger = new SilentLogger();
  const stores = memoryStores({ clock, databases: data, model: embedder.model });
  const project = { path: '/project', store: await stores.open('/project') };
  const enrichment = new BackgroundEnrichment({
    embedder,
    generator,
    clock,
    logger,
    metrics: noMetrics,
    relevanceScales,
  });
  const work = enrichment.workOn(project);
  onTestFinished(() => {
    enrichment.stop();
    return work.stop();
  });
  return { clock, logger, embedder, generator, data, project, enrichment, work };
}

/** Stores a source and advances the clock by one millisecond, so that later sources are newer. */
export async function ingest(
  { project, clock }: Pick<EnrichmentWorld, 'project' | 'clock'>,
  sourceFile: string,
  ...chunks: readonly (string | DraftChunk)[]
): Promise<void> {
  clock.advance(1);
  await project.store.chunks.replaceSources([
    { sourceFile: sourceFile, document: document(sourceFile, chunks) },
  ]);
}

/**
 * Stores sources of one chunk each, with the texts `word 1`, `word 2` and so on. Their names contain no word to embed.
 */
export async function ingestMany(
  world: Pick<EnrichmentWorld, 'project' | 'clock'>,
  count: number,
  word = 'note',
): Promise<void> {
  for (let i = 1; i <= count; i += 1) await ingest(world, `${word.at(0)}-${i}.md`, `${word} ${i}`);
}

/** Lets everything finish that does not wait for time to pass. */
export async function settle(turns = 60): Promise<void> {
  for (let i = 0; i < turns; i += 1) await turnOver();
}

/** Waits for a condition, turn by turn of the event loop. Throws if it never becomes true. */
export async function until(isSo: () => boolean | Promise<boolean>, turns = 50_000): Promise<void> {
  for (let i = 0; i < turns; i += 1) {
    if (await isSo()) return;
    await turnOver();
  }
  throw new Error(`Still not so after ${turns} turns: ${isSo}`);
}

/** Advances the clock in small steps, and settles after each. */
export async function pass(clock: FixedClock, ms: number, stepMs = 500): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.advance(Math.min(stepMs, ms - passed));
    await settle();
  }
}

type Step = () => Promise<StepOutcome>;

/** A loop that runs a step, with the times at which the step began, and the leases of another process. */
export async function loopScene(step: Step, made: (leases: Leases) => Leases = (leases) => leases) {
  const clock = new FixedClock();
  const logger = new SilentLogger();
  const data = new SharedDatabases();
  const { upkeep: leases } = await memoryStores({ clock, databases: data }).open('/project');
  const { upkeep: others } = await memoryStores({ clock, databases: data }).open('/project');
  const startedAt: number[] = [];
  const recorded: Step = () => {
    startedAt.push(clock.monotonic());
    return step();
  };
  const retries: string[] = [];
  const metrics = { ...noMetrics, retried: (name: string) => void retries.push(name) };
  const work = {
    name: 'vectors',
    leases: made(leases),
    canWork: () => true,
    step: recorded,
  } as const;
  const loop = new BackgroundLoop(work, { clock, logger, metrics });
  return { clock, logger, others, startedAt, retries, loop };
}

/** Like `loopScene`, with the loop woken and settled. */
export async function runningLoop(...parts: Parameters<typeof loopScene>) {
  const scene = await loopScene(...parts);
  scene.loop.schedule();
  await settle();
  return scene;
}

/** A step that has each of these outcomes once, then the last one forever. */
export function outcomes(...all: readonly (StepOutcome | Error)[]): Step {
  const waiting = [...all];
  let current: StepOutcome | Error = 'idle';
  return async () => {
    current = waiting.shift() ?? current;
    if (current instanceof Error) throw current;
    return current;
  };
}

/** A gate whose promise `passed` resolves once it is opened. */
export function closedGate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

export function turnOver(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
