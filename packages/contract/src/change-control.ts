import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id } from './scalars.ts';
import { plainText } from './text.ts';

export const requiredApprovals = z.number().int().min(1).max(100);

const directChanges = z.enum(['open', 'skip', 'break-glass', 'refused']).meta({
  description:
    'How the caller may make changes without a change request. `open`: changes are not reviewed; `skip`: the caller may skip review; `break-glass`: only by breaking glass with a reason; `refused`: not at all',
});

const breakGlassUse = z.object({
  id,
  project: z.string(),
  environments: z.array(z.string()).meta({ description: 'Environments in which review was bypassed' }),
  reason: z.string(),
  changes: z
    .array(
      z.object({
        type: z.string(),
        label: z.string(),
        name: z.string().nullable().meta({ description: 'The flag or segment that was changed' }),
        environment: z.string().nullable(),
      }),
    )
    .meta({ description: 'The changes, from their events; at most 50' }),
  createdBy: z.object({ id: z.number().int(), username: z.string() }),
  createdAt: dateTime,
  own: z.boolean().meta({ description: 'Whether the caller broke glass, and therefore cannot acknowledge it' }),
});

/** Change control: the environments in which changes require review (docs/spec#change-requests). */
export const changeControlRoutes = defineRoutes('Change requests', {
  'GET /api/admin/projects/:projectId/change-requests/config': {
    summary: 'Get the change control of a project: environments that require review, and the required approvals',
    access: 'signed-in',
    answers: {
      200: json(
        z.array(
          z.object({
            environment: z.string(),
            type: z.string(),
            changeRequestEnabled: z.boolean(),
            requiredApprovals: z.number().int().nullable(),
            directChanges,
          }),
        ),
      ),
    },
  },
  'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': {
    summary: 'Set whether changes in an environment of a project require review',
    description:
      'With review, flags in the environment can be changed only by change requests, except by callers with SKIP_CHANGE_REQUEST. Without `requiredApprovals`, or with 0, the number is kept; its initial value is that of the environment, or 1.',
    access: { permission: 'PROJECT_CHANGE_REQUEST_WRITE' },
    body: z.object({
      changeRequestsEnabled: z.boolean(),
      // Terraform's provider sends 0 for an omitted value.
      requiredApprovals: z.number().int().min(0).max(100).optional(),
    }),
    answers: { 204: empty },
    emits: ['change-request-configuration-updated'],
  },
  'GET /api/admin/segments/:id/change-requests/config': {
    summary: 'Get the environments in which changes of a global segment require review',
    access: 'signed-in',
    answers: ok({
      changeRequestEnabled: z.boolean(),
      directChanges,
      environments: z
        .array(z.object({ project: z.string(), environment: z.string(), requiredApprovals: z.number().int() }))
        .meta({ description: 'Environments that use the segment, of projects that the caller can see' }),
    }),
  },
  'GET /api/admin/change-requests/break-glass': {
    summary: 'List unacknowledged uses of break-glass, newest first',
    description: 'At most 200.',
    access: 'signed-in',
    only: 'uses in environments where the caller has APPROVE_CHANGE_REQUEST, and the caller’s own uses',
    answers: ok({ uses: z.array(breakGlassUse) }),
  },
  'POST /api/admin/change-requests/break-glass/:id/acknowledge': {
    summary:
      'Acknowledge a use of break-glass: a second person says whether it was justified; removes it from the list',
    access: 'signed-in',
    only: 'a person with APPROVE_CHANGE_REQUEST where review was bypassed, other than the person who broke glass',
    body: z.strictObject({
      verdict: z.enum(['justified', 'not-justified']),
      note: plainText(1000).optional(),
    }),
    answers: { 204: empty },
    errors: [403, 409],
    emits: ['break-glass-acknowledged'],
  },
});
