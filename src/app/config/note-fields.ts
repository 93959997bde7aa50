import { oneWord } from '../../schemas/config.js';
import type { Field } from './config.js';

export const NOTE_FIELDS = {
  secrets: {
    variable: 'KNOWLEDGE_SECRETS',
    help: 'refuse saves no note that seems to contain a secret; warn saves it and says so',
    byDefault: 'warn',
    schema: oneWord(['warn', 'refuse']),
    kind: 'guard',
  },
  userNotes: {
    variable: 'KNOWLEDGE_USER_NOTES',
    help: 'off leaves out the notes of the user, which apply to all projects',
    byDefault: 'on',
    schema: oneWord(['on', 'off']),
  },
} as const satisfies Record<string, Field>;
