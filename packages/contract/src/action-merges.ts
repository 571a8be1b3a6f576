import { z } from 'zod';
import { actionSetSchema } from './actions.ts';
import { defineRoutes, json, ok } from './route.ts';
import { id, idParam } from './scalars.ts';
import { urlFriendly } from './text.ts';

const named = z.object({ id, name: z.string() });

/** Merging two action sets, of which one holds a flag and the other releases it. */
export const actionMergeRoutes = defineRoutes('Actions', {
  'GET /api/admin/projects/:projectId/actions/pairs': {
    access: { permission: 'ADMIN' },
    summary: 'List the pairs of action sets of which one holds a flag and the other releases it',
    params: z.object({ projectId: urlFriendly }),
    answers: ok({
      pairs: z.array(
        z.object({
          holding: named,
          releasing: named,
          merged: actionSetSchema.meta({ description: 'The action set that would hold and release' }),
          problems: z
            .array(z.string())
            .meta({ description: 'Why a merge would change what they do; empty when they can be merged' }),
        }),
      ),
    }),
  },
  'POST /api/admin/projects/:projectId/actions/:id/merge': {
    access: { permission: 'ADMIN' },
    summary: 'Let an action set also release what it holds, in place of a second one',
    description:
      'The action set takes over the filters of the one that releases, which is disabled or deleted in the same change. Holds and runs of before stay. Answers 409 and changes nothing when the merge would change what the two do.',
    params: z.object({ projectId: urlFriendly, id: idParam }),
    body: z.strictObject({
      releasingId: id.meta({ description: 'The action set that releases' }),
      afterwards: z
        .enum(['disable', 'delete'])
        .default('disable')
        .meta({ description: 'What becomes of the action set that releases' }),
    }),
    answers: { 200: json(actionSetSchema) },
    errors: [409],
    emits: ['actions-updated', 'actions-deleted'],
  },
});
