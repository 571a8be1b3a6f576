import { z } from 'zod';
import { changeBody } from './changes.ts';
import { filter, numberFilter } from './filters.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { anyJson, dateTime, id, instant, label, paging } from './scalars.ts';
import { filledText } from './text.ts';

export const changeRequestStates = [
  'Draft',
  'In review',
  'Approved',
  'Scheduled',
  'Applied',
  'Rejected',
  'Cancelled',
] as const;

/** States of open requests: neither applied, rejected nor cancelled. */
export const openChangeRequestStates = ['Draft', 'In review', 'Approved', 'Scheduled'] as const;

const who = z.object({ id: z.number().int(), username: z.string(), imageUrl: z.string() });
const done = { createdBy: who, createdAt: dateTime };
const named = z.object({ id, title: z.string() });

const changeSchema = z.object({
  id,
  action: z.string(),
  payload: anyJson,
  ...done,
  before: anyJson.optional().meta({
    description:
      'In an applied request, the value that the change replaced or deleted: the state of the flag, the strategy, the ids of the strategies in order, the variants, the dependency or the segment',
  }),
  conflict: z.string().optional().meta({ description: 'Why the change cannot be applied to the current state' }),
  scheduleConflicts: z
    .object({ changeRequests: z.array(named) })
    .optional()
    .meta({ description: 'Other scheduled change requests that change the same object' }),
});

const scheduleSchema = z.object({
  scheduledAt: dateTime,
  scheduledBy: who,
  status: z.enum(['pending', 'failed', 'suspended']),
  reason: z.string().nullable(),
});

const changeRequestSchema = z.object({
  id,
  title: z.string(),
  project: z.string(),
  environment: z.string(),
  state: z.enum(changeRequestStates),
  minApprovals: z.number().int(),
  ...done,
  features: z.array(z.object({ name: z.string(), conflict: z.string().optional(), changes: z.array(changeSchema) })),
  segments: z.array(changeSchema.extend({ segmentId: id, name: z.string().nullable() })),
  approvals: z.array(z.object(done)),
  rejections: z.array(z.object(done)),
  comments: z.array(z.object({ id, text: z.string(), ...done })),
  schedule: scheduleSchema.optional(),
  stateTransitionTimestamps: z.record(z.string(), dateTime),
});

const reviewerSchema = z.object({
  id,
  name: z.string().nullable(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  imageUrl: z.string(),
});
const list = { 200: json(z.array(changeRequestSchema)) };
const changeRequest = { 200: json(changeRequestSchema) };
const effects = [
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-environment-variants-updated',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'strategy-order-changed',
  'feature-archived',
  'feature-dependency-added',
  'feature-dependency-removed',
  'feature-dependencies-removed',
  'segment-updated',
  'segment-deleted',
] as const;

/** Change requests: changes that are reviewed or scheduled (docs/spec#change-requests). */
export const changeRequestRoutes = defineRoutes('Change requests', {
  'POST /api/admin/projects/:projectId/environments/:environment/change-requests': {
    access: 'signed-in',
    checks: [
      {
        permission: 'UPDATE_FEATURE_ENVIRONMENT',
        where: 'to switch a flag where changes are not reviewed; other changes need the permission of their own route',
      },
    ],
    summary: 'Create a change request, or add changes to the caller’s draft',
    description:
      'The changes are added to the caller’s draft in the environment; a draft is created if there is none. Each change is validated like the direct call. Where changes are not reviewed, a request needs no approval and is useful for scheduling; the caller needs the permission of each change.',
    body: z.union([changeBody, z.array(changeBody).min(1, 'must name a change').max(250)]),
    answers: changeRequest,
    errors: [409],
    emits: ['change-request-created', 'change-added', 'change-edited'],
  },
  'GET /api/admin/projects/:projectId/change-requests': {
    access: 'signed-in',
    summary: 'List the newest 1000 change requests of a project',
    description: 'A draft is shown only to its author.',
    answers: list,
  },
  'GET /api/admin/projects/:projectId/change-requests/pending': {
    access: 'signed-in',
    summary: 'List the open change requests of a project',
    answers: list,
  },
  'GET /api/admin/projects/:projectId/change-requests/pending/:featureName': {
    access: 'signed-in',
    summary: 'List the open change requests that would change a flag',
    answers: list,
  },
  'GET /api/admin/projects/:projectId/change-requests/scheduled': {
    access: 'signed-in',
    summary: 'List the scheduled change requests of a project',
    answers: {
      200: json(
        z.array(
          named.extend({
            environment: z.string(),
            features: z.array(z.string()),
            strategyIds: z.array(z.string()),
            schedule: scheduleSchema,
          }),
        ),
      ),
    },
  },
  'GET /api/admin/projects/:projectId/change-requests/actionable': {
    access: 'signed-in',
    summary: 'Count the change requests of a project that wait for the caller',
    description: 'Requests that the caller can send to review, approve or apply, or whose schedule failed.',
    answers: ok({ total: z.number().int() }),
  },
  'GET /api/admin/projects/:projectId/change-requests/count': {
    access: 'signed-in',
    summary: 'Count the change requests of a project by state, without drafts',
    answers: ok({
      total: z.number().int(),
      approved: z.number().int(),
      applied: z.number().int(),
      rejected: z.number().int(),
      cancelled: z.number().int(),
      reviewRequired: z.number().int(),
      scheduled: z.number().int(),
    }),
  },
  'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment': {
    access: 'signed-in',
    summary: 'List the users who may approve change requests in an environment of a project',
    answers: { 200: json(z.array(reviewerSchema)) },
  },
  'GET /api/admin/projects/:projectId/change-requests/:id': {
    access: 'signed-in',
    summary: 'Get a change request',
    answers: changeRequest,
  },
  'DELETE /api/admin/projects/:projectId/change-requests/:id': {
    access: 'signed-in',
    only: 'the author of the change request',
    summary: 'Delete a draft',
    answers: { 200: empty },
    errors: [403, 409],
    emits: ['change-request-discarded'],
  },
  'PUT /api/admin/projects/:projectId/change-requests/:id/state': {
    access: 'signed-in',
    checks: [
      { permission: 'APPROVE_CHANGE_REQUEST', where: 'to approve or reject' },
      { permission: 'APPLY_CHANGE_REQUEST', where: 'to schedule or apply' },
    ],
    summary: 'Send a change request to review, approve, reject, schedule, apply or cancel it',
    description:
      'Approving and rejecting need APPROVE_CHANGE_REQUEST; authors cannot approve their own requests. Applying and scheduling need APPLY_CHANGE_REQUEST where changes are reviewed, and the permission of each change elsewhere. Archiving flags and changing dependencies or segments always need their own permission. Answers 409 and changes nothing when a change conflicts with the current state.',
    body: z.object({
      state: z.enum(['In review', 'Approved', 'Rejected', 'Scheduled', 'Applied', 'Cancelled']),
      comment: filledText(4000).optional(),
      scheduledAt: instant.optional().meta({ description: 'Required for Scheduled' }),
    }),
    answers: changeRequest,
    errors: [409],
    emits: [
      'change-request-sent-to-review',
      'change-request-approval-added',
      'change-request-approved',
      'change-request-rejected',
      'change-request-scheduled',
      'change-request-applied',
      'change-request-cancelled',
      'change-request-commented',
      ...effects,
    ],
  },
  'PUT /api/admin/projects/:projectId/change-requests/:id/title': {
    access: 'signed-in',
    only: 'the author of the change request',
    summary: 'Set the title of a change request',
    body: z.object({ title: label(255) }),
    answers: { 204: empty },
    errors: [403, 409],
    emits: ['change-request-title-updated'],
  },
  'POST /api/admin/projects/:projectId/change-requests/:id/comments': {
    access: 'signed-in',
    summary: 'Comment on a change request',
    body: z.object({ text: filledText(4000) }),
    answers: { 204: empty },
    errors: [409],
    emits: ['change-request-commented'],
  },
  'GET /api/admin/projects/:projectId/change-requests/:id/approvers': {
    access: 'signed-in',
    summary: 'List the requested approvers of a change request with their decisions',
    answers: {
      200: json(z.array(reviewerSchema.extend({ status: z.enum(['pending', 'approved', 'rejected']) }))),
    },
  },
  'PUT /api/admin/projects/:projectId/change-requests/:id/approvers': {
    access: 'signed-in',
    only: 'the author of the change request',
    summary: 'Set the requested approvers of a change request',
    body: z.object({ reviewers: z.array(id).max(100) }),
    answers: { 204: empty },
    errors: [403, 409],
    emits: ['change-request-requested-approvers-updated'],
  },
  'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId': {
    access: 'signed-in',
    only: 'the author of the change request',
    summary: 'Edit a change of a change request; approvals and the schedule are removed',
    body: changeBody,
    answers: changeRequest,
    errors: [403, 409],
    emits: ['change-edited'],
  },
  'DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId': {
    access: 'signed-in',
    only: 'the author of the change request',
    summary:
      'Remove a change from a change request; approvals and the schedule are removed. Removing the last change deletes the request',
    answers: { 200: empty },
    errors: [403, 409],
    emits: ['change-discarded', 'change-request-discarded'],
  },
  'GET /api/admin/search/change-requests': {
    access: 'signed-in',
    summary: 'Search change requests in all projects, newest first',
    description: 'A draft is shown only to its author.',
    query: z.object({
      ...paging(50, 1000),
      createdBy: numberFilter('IS', 'IS_ANY_OF').optional(),
      requestedApproverId: numberFilter('IS', 'IS_ANY_OF').optional(),
      actionable: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'With `true`, only requests that wait for the caller to approve or apply them' }),
      state: filter('IS', 'IS_ANY_OF')
        .refine(
          ({ values }) => values.every((value) => changeRequestStates.some((state) => state === value)),
          `must name ${changeRequestStates.join(', ')}`,
        )
        .optional(),
    }),
    answers: ok({ changeRequests: z.array(changeRequestSchema), total: z.number().int() }),
  },
});
