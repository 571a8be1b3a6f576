import { z } from 'zod';
import { defineRoutes, json } from './route.ts';

/** What Unleash Edge asks on behalf of the SDKs behind it (docs/spec#edge). */
export const edgeRoutes = defineRoutes({
  'POST /edge/validate': {
    tag: 'SDK',
    summary: 'Which of these API tokens are valid, and what they open',
    description:
      'Backend tokens are of the type `client`, which Edges of all versions know. Tokens that are not valid are left out. Only so many requests a minute may name one that is not.',
    access: 'public',
    body: z.object({ tokens: z.array(z.string().min(1).max(1000)).max(500, 'must name at most 500 tokens') }),
    answers: {
      200: json(
        z.object({
          tokens: z.array(
            z.object({
              token: z.string(),
              type: z.enum(['client', 'frontend', 'admin']),
              projects: z.array(z.string()),
              environment: z.string(),
            }),
          ),
        }),
      ),
    },
    errors: [429],
    secrets: true,
    emits: [],
  },
});
