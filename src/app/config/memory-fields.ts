import { folder, oneWord } from '../../schemas/config.js';
import type { Field } from './config.js';

/** Which notes to read and save, and where agents keep the transcripts that become sessions. */
export const MEMORY_FIELDS = {
  secrets: {
    variable: 'KNOWLEDGE_SECRETS',
    help: 'refuse rejects notes that seem to contain a secret; warn saves them with a warning',
    byDefault: 'warn',
    schema: oneWord(['warn', 'refuse']),
    kind: 'guard',
  },
  userNotes: {
    variable: 'KNOWLEDGE_USER_NOTES',
    help: 'off leaves out user notes, which apply to all projects',
    byDefault: 'on',
    schema: oneWord(['on', 'off']),
  },
  // The agents themselves also read the next two variables.
  claudeDir: {
    variable: 'CLAUDE_CONFIG_DIR',
    help: 'where Claude Code keeps its transcripts, for sessions',
    byDefault: '~/.claude',
    schema: folder(),
  },
  codexHome: {
    variable: 'CODEX_HOME',
    help: 'where Codex keeps its transcripts, for sessions',
    byDefault: '~/.codex',
    schema: folder(),
  },
} as const satisfies Record<string, Field>;
