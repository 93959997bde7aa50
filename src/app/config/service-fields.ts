import { counting, oneWord } from '../../schemas/config.js';
import type { Field } from './config.js';

/** Whether commands use the local service of their user, and how long it stays. */
export const SERVICE_FIELDS = {
  service: {
    variable: 'KNOWLEDGE_SERVICE',
    help: 'off makes commands do their work without the local service',
    byDefault: 'on',
    schema: oneWord(['on', 'off']),
  },
  serviceIdleSeconds: {
    variable: 'KNOWLEDGE_SERVICE_IDLE_S',
    help: 'seconds without clients and work after which the local service ends',
    ...counting(600, 1, 31_536_000),
  },
} as const satisfies Record<string, Field>;
