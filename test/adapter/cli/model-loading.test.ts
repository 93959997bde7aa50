import { describe, expect, it } from 'vitest';
import { loadModel } from '../../../src/adapters/cli/model.js';
import type { Session } from '../../../src/adapters/cli/session.js';

describe('a model that is being loaded', () => {
  it('is waited for, which is told once it takes long, and not for ever', async () => {
    const told: string[] = [];
    await loadModel(sessionWith(told, new Promise(() => undefined)), ['/p'], TIMEOUTS);
    expect(told).toEqual(['The embedding model is still loading …']);
  });

  it('is not told of where it is ready soon', async () => {
    const told: string[] = [];
    await loadModel(sessionWith(told, Promise.resolve()), ['/p'], TIMEOUTS);
    expect(told).toEqual([]);
  });
});

const TIMEOUTS = { silent: 5, noted: 5 };

/** The part of a session that waiting for the model needs. */
function sessionWith(told: string[], loading: Promise<void>): Session {
  const session = {
    terminal: { showsProgress: false },
    note: (sentence: string) => told.push(sentence),
    call: async () => ({ embeddings: { complete: 1 }, model: { state: 'idle' } }),
    operations: { loadModel: () => loading },
  };
  return session as unknown as Session;
}
