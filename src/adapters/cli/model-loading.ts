import { KnowledgeError } from '../../domain/errors.js';
import type { StatusBody } from './bodies.js';
import type { Session } from './session.js';
import { Progress } from './text/progress.js';

/**
 * Loads the embedding model if the project has vectors that a search can use. A service has it loaded
 * after a while; a command that did not wait for it would always search by keyword.
 */
export async function loadModel(session: Session): Promise<void> {
  const { embeddings, model } = await session.call<StatusBody>('GET /api/knowledge/x/status');
  if (embeddings.complete === 0 || model.state === 'absent') return;
  const progress = new Progress(session.terminal, 'Loading the embedding model');
  progress.begin();
  try {
    await session.operations.loadModel();
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    session.note('Searching by keyword alone.');
  } finally {
    progress.end();
  }
}
