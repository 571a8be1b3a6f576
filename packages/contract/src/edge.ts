import { z } from 'zod';
import { defineRoutes, ok } from './route.ts';

/** Routes for Unleash Edge (docs/spec#edge). */
export const edgeRoutes = defineRoutes('SDK', {
  'POST /edge/validate': {
    summary: 'Validate API tokens and return their projects and environments',
    description:
      'Backend tokens have the type `client`, which all versions of Edge support. Each token is answered by itself: an invalid one, also a value that cannot be a token, is left out and does not affect the others. An address that has sent too many invalid tokens is answered for those that were valid before, and otherwise 429.',
    access: 'public',
    body: z.object({ tokens: z.array(z.unknown()).max(500, 'must name at most 500 tokens') }),
    answers: ok({
      tokens: z.array(
        z.object({
          token: z.string(),
          type: z.enum(['client', 'frontend', 'admin']),
          projects: z.array(z.string()),
          environment: z.string(),
        }),
      ),
    }),
    errors: [429],
    secrets: true,
    emits: [],
  },
});
