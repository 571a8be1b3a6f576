import type { Answer } from '../../lib/api.ts';

/** The evaluation of a flag, by environment and context. */
export type EvaluatedFlag = Answer<'POST /api/admin/playground/advanced'>['features'][number];
export type EvaluationResult = EvaluatedFlag['environments'][string][number];
