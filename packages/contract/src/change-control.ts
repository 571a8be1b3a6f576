import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, id, idParam } from './scalars.ts';
import { nameParam } from './text.ts';

export const requiredApprovals = z.number().int().min(1).max(100);

const tag = 'Change requests';

const directChanges = z.enum(['open', 'skip', 'break-glass', 'refused']).meta({
  description:
    'Whether the caller may make changes there without a change request: nothing is reviewed, review may be skipped, only by breaking glass with a reason, or not at all',
});

const breakGlassUse = z.object({
  id,
  project: z.string(),
  environments: z.array(z.string()).meta({ description: 'Where review was bypassed' }),
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
    .meta({ description: 'What was changed, as its events say; at most 50' }),
  createdBy: z.object({ id: z.number().int(), username: z.string() }),
  createdAt: dateTime,
  own: z.boolean().meta({ description: 'Whether the caller broke glass, and so cannot acknowledge it' }),
});

/** Where changes are reviewed before they are made (docs/spec#change-requests). */
export const changeControlRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/change-requests/config': {
    tag,
    summary: 'In which environments of a project changes are reviewed, and how many must approve',
    access: 'signed-in',
    params: z.object({ projectId: nameParam }),
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
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': {
    tag,
    summary: 'Set whether changes in an environment of a project are reviewed before they are made',
    description:
      'While they are, flags are changed there by change requests alone, but by those who hold SKIP_CHANGE_REQUEST. Without `requiredApprovals`, or with 0, the number stays; at first it is that of the environment, or one.',
    access: { permission: 'PROJECT_CHANGE_REQUEST_WRITE' },
    params: z.object({ projectId: nameParam, environment: nameParam }),
    body: z.object({
      changeRequestsEnabled: z.boolean(),
      // 0 is what Terraform's provider sends when its user says nothing.
      requiredApprovals: z.number().int().min(0).max(100).optional(),
    }),
    answers: { 204: empty },
    errors: [404],
    emits: ['change-request-configuration-updated'],
  },
  'GET /api/admin/segments/:id/change-requests/config': {
    tag,
    summary: 'Where changes of a segment of all projects are reviewed: in the reviewed environments that use it',
    access: 'signed-in',
    params: z.object({ id: idParam }),
    answers: {
      200: json(
        z.object({
          changeRequestEnabled: z.boolean(),
          directChanges,
          environments: z
            .array(z.object({ project: z.string(), environment: z.string(), requiredApprovals: z.number().int() }))
            .meta({ description: 'Of the projects that the caller sees' }),
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/change-requests/break-glass': {
    tag,
    summary: 'Changes that bypassed review with break-glass and that nobody else has acknowledged, newest first',
    description: 'At most 200.',
    access: 'signed-in',
    only: 'uses in environments where the caller holds APPROVE_CHANGE_REQUEST, and uses of their own',
    answers: { 200: json(z.object({ uses: z.array(breakGlassUse) })) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/change-requests/break-glass/:id/acknowledge': {
    tag,
    summary: 'Acknowledge that one has looked at a use of break-glass, which takes it off the list',
    access: 'signed-in',
    only: 'a person who holds APPROVE_CHANGE_REQUEST where review was bypassed, other than the one who broke glass',
    params: z.object({ id: idParam }),
    answers: { 204: empty },
    errors: [403, 404, 409],
    emits: ['break-glass-acknowledged'],
  },
});
