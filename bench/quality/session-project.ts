import { join } from 'node:path';
import { runCommand } from '../../test/support/running-service.js';
import { claudeLines, type Said, writeClaude } from '../../test/support/transcripts.js';
import type { CorpusDocument } from './collection.js';

/**
 * Fills a project with conversations in the usual way: as transcripts of an agent, which are ingested as sessions. A
 * document is a conversation whose turns begin with `[user]` and `[assistant]`. Returns a function from a session file
 * to its document. Runs from `dist`.
 */
export async function fillSessions(
  { path, home }: { readonly path: string; readonly home: string },
  documents: readonly CorpusDocument[],
): Promise<(sourceFile: string) => string> {
  const environment = { HOME: home, DATA_DIR: join(home, 'data'), CLAUDE_CONFIG_DIR: home };
  for (const [index, { id, text }] of documents.entries()) {
    const start = new Date(Date.UTC(2026, 0, 1 + index));
    const lines = claudeLines(exchangesOf(text), { cwd: path, session: id, start });
    await writeClaude(home, lines, id);
  }
  for (const words of [['init'], ['connect', 'claude', '--sessions'], ['ingest']]) {
    const { code, err } = await runCommand(words, path, environment);
    if (code !== 0) throw new Error(`knowledge-store ${words.join(' ')}: ${err}`);
  }
  return (sourceFile) => /\d{4}-\d\d-\d\d-(.+?)\.md$/.exec(sourceFile)?.[1] ?? sourceFile;
}

/**
 * Splits a conversation into exchanges. If one side says nothing, inserts a word for it, because an exchange without a
 * response is no session.
 */
function exchangesOf(conversation: string): readonly Said[] {
  return conversation.split(/^\[user\] /m).flatMap((exchange) => {
    if (exchange.trim() === '') return [];
    const [prompt = '', ...answers] = exchange.split(/^\[assistant\] /m);
    return [{ prompt: prompt.trim() || 'Go on.', answer: answers.join('\n\n').trim() || 'Noted.' }];
  });
}
