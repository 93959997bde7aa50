import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import {
  ingest,
  type ProjectSettings,
  removeFolder,
  temporaryFolder,
  writeSettings,
} from './bench-project.js';
import { type LabeledQuestion, type LabeledText, readLabeledTexts } from './chunking-eval.js';
import { DATABASE } from './foreign-database.js';
import { MODES, type Mode, type ModeName } from './modes.js';
import { loadRealEmbedder } from './real-embedder.js';
import { startService, untilEmbedded } from './service.js';
import { type Coverage, charactersIn, coverage, placesOf, type Span } from './spans.js';
import { mean } from './statistics.js';
import { aligned, decimals } from './text-report.js';

/** The quality of a chunker at one maximum chunk size. */
export interface ChunkingReport {
  /** The maximum size of a chunk, in tokens of the chunker. */
  readonly maxTokens: number;
  readonly questions: number;
  readonly chunks: number;
  readonly meanCharacters: number;
  /** Number of chunks that could not be found in their text; should be 0. */
  readonly unplaced: number;
  readonly answers: readonly BudgetReport[];
}

interface BudgetReport {
  readonly mode: ModeName;
  /** The token budget of the search, at 4 characters per token. */
  readonly budget: number;
  /** Number of questions for which no labelled character was returned. */
  readonly missed: number;
  readonly coverage: Coverage;
  readonly results: readonly (Coverage & { readonly id: string })[];
}

interface ChunkingRunOptions {
  readonly maxTokens: number;
  readonly modes: readonly ModeName[];
  readonly model: 'recorded' | 'real';
  readonly settings: ProjectSettings;
}

const BUDGETS: readonly number[] = [250, 500, 1000, 2000, 4000];

/** Chunks the labelled texts with the real chunker, and asks every question with every budget. */
export async function runChunking(
  folder: string,
  options: ChunkingRunOptions,
): Promise<ChunkingReport> {
  const texts = readLabeledTexts(folder);
  const project = temporaryFolder();
  try {
    writeTexts(project, texts, { ...options.settings, maxChunkSize: options.maxTokens });
    await ingest(project);
    const placed = placeChunks(project, texts);
    const answers: BudgetReport[] = [];
    for (const mode of options.modes.filter((name) => isPossible(MODES[name], options.model))) {
      answers.push(...(await askAll(project, { mode, texts, placed })));
    }
    return {
      maxTokens: options.maxTokens,
      questions: texts.flatMap(({ questions }) => questions).length,
      chunks: placed.length,
      meanCharacters: mean(placed.map(({ content }) => content.length)),
      unplaced: placed.filter(({ span }) => span === undefined).length,
      answers,
    };
  } finally {
    removeFolder(project);
  }
}

/** Whether a mode can be measured: these texts have no recorded vectors. */
function isPossible(mode: Mode, model: ChunkingRunOptions['model']): boolean {
  return mode.model === 'none' || model === 'real';
}

function writeTexts(project: string, texts: readonly LabeledText[], settings: ProjectSettings) {
  writeSettings(project, settings);
  for (const { id, text } of texts) writeFileSync(join(project, `${id}.md`), text);
}

interface PlacedChunk {
  readonly id: string;
  readonly textId: string;
  readonly content: string;
  readonly span: Span | undefined;
}

interface ChunkRow {
  readonly id: string;
  readonly content: string;
}

function placeChunks(project: string, texts: readonly LabeledText[]): readonly PlacedChunk[] {
  const db = openDatabase(join(project, DATABASE));
  const select = db.prepare<[string], ChunkRow>(
    'SELECT id, content FROM chunks WHERE source_file = ? ORDER BY chunk_index',
  );
  const placed = texts.flatMap(({ id: textId, text }) => {
    const rows = select.all(`${textId}.md`);
    const spans = placesOf(
      text,
      rows.map(({ content }) => content),
    );
    return rows.map(({ id, content }, i) => ({
      id,
      textId,
      content,
      span: spans[i],
    }));
  });
  db.close();
  return placed;
}

interface Asked {
  readonly mode: ModeName;
  readonly texts: readonly LabeledText[];
  readonly placed: readonly PlacedChunk[];
}

async function askAll(project: string, asked: Asked): Promise<readonly BudgetReport[]> {
  const mode: Mode = MODES[asked.mode];
  const embedder = mode.model === 'vectors' ? await loadRealEmbedder() : undefined;
  const service = startService(mode.variant, embedder);
  try {
    if (embedder !== undefined) await untilEmbedded(service, project);
    const reports: BudgetReport[] = [];
    for (const budget of BUDGETS) {
      const limits = { maxResults: 1000, maxTokens: budget };
      const results: (Coverage & { readonly id: string })[] = [];
      for (const { text, question } of questionsOf(asked.texts)) {
        const options = { ...mode.options, ...limits };
        const answer = await service.store.search(project, question.text, options);
        const found = answer.results.flatMap(({ chunk }) => within(chunk, asked.placed));
        results.push({ id: question.id, ...coverageOf(found, text, question) });
      }
      reports.push(toReport(asked.mode, budget, results));
    }
    return reports;
  } finally {
    await service.stop();
  }
}

/** The chunks in a result: its own, and the neighbours that were joined to it. */
function within({ id, content }: ChunkRow, placed: readonly PlacedChunk[]) {
  const place = placed.findIndex((chunk) => chunk.id === id);
  const near = placed.slice(Math.max(0, place - 1), place + 2);
  return near.filter((chunk) => chunk.id === id || content.includes(chunk.content));
}

function questionsOf(texts: readonly LabeledText[]) {
  return texts.flatMap((text) => text.questions.map((question) => ({ text, question })));
}

function coverageOf(
  found: readonly PlacedChunk[],
  text: LabeledText,
  { spans }: LabeledQuestion,
): Coverage {
  const own = found.filter(({ textId }) => textId === text.id).flatMap(({ span }) => span ?? []);
  const others = found.filter(({ textId }) => textId !== text.id).flatMap(({ span }) => span ?? []);
  const elsewhere = others.reduce((total, span) => total + charactersIn([span]), 0);
  return coverage(own, spans, elsewhere);
}

function toReport(mode: ModeName, budget: number, results: BudgetReport['results']): BudgetReport {
  const of = (name: keyof Coverage) => mean(results.map((result) => result[name]));
  return {
    mode,
    budget,
    missed: results.filter(({ recall }) => recall === 0).length,
    coverage: { recall: of('recall'), precision: of('precision'), iou: of('iou') },
    results,
  };
}

export function chunkingTable(report: ChunkingReport): string {
  const { maxTokens, chunks, meanCharacters, unplaced, questions, answers } = report;
  const title = [
    `chunking-eval, at most ${maxTokens} tokens: ${chunks} chunks of ${meanCharacters.toFixed(0)}`,
    `characters (${unplaced} not found in their text), ${questions} questions`,
  ].join(' ');
  const head = ['mode', 'budget', 'recall', 'precision', 'IoU', 'missed'];
  const rows = answers.map(({ mode, budget, coverage, missed }) => [
    mode,
    String(budget),
    ...[coverage.recall, coverage.precision, coverage.iou].map(decimals),
    String(missed),
  ]);
  return `${title}\n${aligned([head, ...rows])}`;
}
