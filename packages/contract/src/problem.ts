import { z } from 'zod';

/**
 * The body of every 4xx and 5xx answer (docs/spec#error-body). `id` is the id of the request, which log lines also
 * have.
 */
export const problemSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  message: z.string(),
  details: z.array(z.looseObject({ message: z.string(), path: z.string().optional() })).optional(),
});
