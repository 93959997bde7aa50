import type { Chunk } from '../chunks/chunk.js';
import type { NoteState } from './note-record.js';

/** By whom and when a text of a session was said. */
export interface Said {
  /** Such as `claude`; absent for other sources. */
  readonly agent?: string | undefined;
  /** ISO 8601 time of the exchange. */
  readonly said?: string | undefined;
}

/** As people read it: `2026-11-01, with claude`; undefined for other sources. */
export function saidText({ agent, said }: Said): string | undefined {
  if (agent === undefined) return undefined;
  return said === undefined ? `with ${agent}` : `${said.slice(0, 10)}, with ${agent}`;
}

/** What readers of a source need beside its text: of a note its version and age, of a session the agent. */
export type SourceState = NoteState | { readonly agent: string };

/** What is known of the source of a chunk; for a session, with the time of the exchange. */
export function stateOf(
  { sourceFile, createdAt }: Pick<Chunk, 'sourceFile' | 'createdAt'>,
  states: ReadonlyMap<string, SourceState>,
): NoteState | { readonly agent: string; readonly said: string } | undefined {
  const state = states.get(sourceFile);
  return state !== undefined && 'agent' in state ? { ...state, said: createdAt } : state;
}
