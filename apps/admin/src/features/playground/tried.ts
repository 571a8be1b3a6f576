import type { Answer } from '../../lib/api.ts';

/** A flag that was tried, in each environment for each context. */
export type TriedFlag = Answer<'POST /api/admin/playground/advanced'>['features'][number];
export type TriedResult = TriedFlag['environments'][string][number];
