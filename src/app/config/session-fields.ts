import { string } from '../../schemas/config.js';
import type { Field } from './config.js';

const directory = string('must be the path of a directory');

/** Where agents keep their transcripts. The agents themselves read these variables. */
export const SESSION_FIELDS = {
  claudeDir: {
    variable: 'CLAUDE_CONFIG_DIR',
    help: 'where Claude Code keeps its transcripts, for sessions',
    byDefault: '~/.claude',
    schema: directory,
  },
  codexHome: {
    variable: 'CODEX_HOME',
    help: 'where Codex keeps its transcripts, for sessions',
    byDefault: '~/.codex',
    schema: directory,
  },
} as const satisfies Record<string, Field>;
