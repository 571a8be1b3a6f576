import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { nameParam } from './text.ts';

export const requiredApprovals = z.number().int().min(1).max(100);

const tag = 'Change requests';

/** Where changes are reviewed before they are made (unleash-facts 6.3, 6.9). */
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
});
