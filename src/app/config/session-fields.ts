import { folder } from '../../schemas/config.js';
import type { Field } from './config.js';

/** Where agents keep their transcripts. The agents themselves read these variables. */
export const SESSION_FIELDS = {
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
