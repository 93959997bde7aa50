import type { Answer } from '../shared/api.js';

export type Found = Answer<'POST /api/knowledge/x/explain'>;
