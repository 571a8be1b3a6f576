import { z } from 'zod';
import { anyJson } from './scalars.ts';

/** One difference between what is and what is wanted. */
export const stateChangeSchema = z.object({
  type: z.string().meta({ description: 'Of the event that making it records' }),
  kind: z.enum(['project', 'flag', 'segment', 'context-field', 'tag-type']),
  name: z.string(),
  project: z.string().nullable(),
  environment: z.string().nullable(),
  fields: z.array(z.object({ field: z.string(), before: anyJson.optional(), after: anyJson.optional() })),
});
