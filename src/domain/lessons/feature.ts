import { isRecord } from '../records.js';

/** A feature as described by its `feature.json`. The file is untrusted; invalid fields are absent. */
export interface Feature {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  readonly epicId?: string;
  readonly status?: string;
  /** Ids of the features it builds on; absent if there are none. */
  readonly dependencies?: readonly string[];
  /** When it was finished, in milliseconds since 1970; absent if unknown. */
  readonly finishedAt?: number;
}

/** Reads a `feature.json`. If it is not a JSON object, only the id is known. */
export function readFeature(id: string, json: string): Feature {
  const fields = readObject(json);
  const [title, description, epicId, status] = TEXTS.map((name) => nonBlank(fields[name]));
  const finishedAt = TIMES.map((name) => readTime(fields[name])).find((time) => time !== undefined);
  const dependencies = readTexts(fields['dependencies']).slice(0, DEPENDENCIES_MAX);
  return {
    id,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(epicId !== undefined && { epicId }),
    ...(status !== undefined && { status }),
    ...(dependencies.length > 0 && { dependencies }),
    ...(finishedAt !== undefined && { finishedAt }),
  };
}

/** The finished features of the same epic, newest first; none for a feature without an epic. */
export function finishedSiblings(
  { id, epicId }: Feature,
  features: readonly Feature[],
): readonly Feature[] {
  if (epicId === undefined) return [];
  return features
    .filter((other) => other.id !== id && other.epicId === epicId && isFinished(other))
    .toSorted((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
}

const TEXTS = ['title', 'description', 'epicId', 'status'];
const TIMES = ['completedAt', 'justFinishedAt', 'updatedAt', 'createdAt'];
const DEPENDENCIES_MAX = 100;
const FINISHED: ReadonlySet<string> = new Set(['done', 'completed', 'verified']);

function isFinished({ status = '' }: Feature): boolean {
  return FINISHED.has(status);
}

function readObject(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((one) => nonBlank(one) ?? []) : [];
}

function readTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
