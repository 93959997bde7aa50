import { openFile } from '../database/connection.js';
import { isOwnSchema } from '../database/own-schema.js';
import { lockLimit, retryWhileBusy } from '../database/statements.js';
import { createDatabase, replacing } from './replace-database.js';
import { type Taken, type TakingOptions, takeRows } from './take-rows.js';

/** A database made by another program or release, and where its rows go. */
export interface AdoptionTarget extends TakingOptions {
  readonly path: string;
  /** The `fileId` of the database. */
  readonly file: string | undefined;
}

/** The adopted data. */
export interface Adoption extends Taken {
  /** The name under which the former database is kept. */
  readonly aside: string;
}

/**
 * Copies the rows of another database into a new one, which replaces it. Returns undefined if another process has
 * already done so.
 */
export async function adopt(target: AdoptionTarget): Promise<Adoption | undefined> {
  const { path, file } = target;
  const replacement = await replacing(path, file);
  if (replacement === undefined) return undefined;
  try {
    if (await isOwn(path)) return undefined;
    const taken = takeRows(replacement.db, path, target);
    const aside = replacement.takePlace('replaced', new Date());
    return aside === undefined ? undefined : { ...taken, aside };
  } finally {
    replacement.abandon();
  }
}

/**
 * Whether the database already has our schema. Opens it for writing, because a reader cannot roll back unfinished
 * writes.
 */
async function isOwn(path: string): Promise<boolean> {
  const db = await retryWhileBusy(() => openFile(path), lockLimit());
  try {
    db.pragma('busy_timeout = 15000'); // waits for the program that made the database
    return isOwnSchema(db);
  } finally {
    db.close();
  }
}

/** A database that is read for an import, and where its rows go. */
export interface ConversionTarget extends TakingOptions {
  readonly path: string;
  /** A file that does not exist yet. */
  readonly into: string;
}

/** Copies the rows of another database into a new one with our schema. */
export function convert(target: ConversionTarget): Taken {
  const db = createDatabase(target.into);
  try {
    return takeRows(db, target.path, target);
  } finally {
    db.close();
  }
}
