import { z } from 'zod';
import { changeBody } from './changes.ts';
import { filter, numberFilter } from './filters.ts';
import { defineRoutes, empty, json } from './route.ts';
import { anyJson, dateTime, id, idParam, instant, label, paging } from './scalars.ts';
import { filledText, nameParam } from './text.ts';

export const changeRequestStates = [
  'Draft',
  'In review',
  'Approved',
  'Scheduled',
  'Applied',
  'Rejected',
  'Cancelled',
] as const;

/** States of requests that are neither applied nor given up. */
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
      'In an applied request what the change replaced or deleted: the state of the flag, the strategy, the ids of the strategies in their order, the variants, the dependency or the segment',
  }),
  conflict: z.string().optional().meta({ description: 'Why it cannot be made as things are now' }),
  scheduleConflicts: z
    .object({ changeRequests: z.array(named) })
    .optional()
    .meta({ description: 'Other change requests that are scheduled to change the same' }),
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

const inProject = z.object({ projectId: nameParam });
const byId = inProject.extend({ id: idParam });
const byChange = inProject.extend({ changeRequestId: idParam, changeId: idParam });
const tag = 'Change requests';
const signedIn = { tag, access: 'signed-in' } as const;
const reading = { ...signedIn, emits: [] } as const;
const list = { 200: json(z.array(changeRequestSchema)) };
const one = { 200: json(changeRequestSchema) };
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

/** Changes that are reviewed before they are made, and changes that are made later (docs/spec#change-requests). */
export const changeRequestRoutes = defineRoutes({
  'POST /api/admin/projects/:projectId/environments/:environment/change-requests': {
    ...signedIn,
    checks: [
      {
        permission: 'UPDATE_FEATURE_ENVIRONMENT',
        where: 'where changes are not reviewed and a flag is switched; for another change what its own route asks for',
      },
    ],
    summary: 'Ask for changes in an environment of a project',
    description:
      'They join the draft that the caller has there, or begin one. Each is checked as the direct call would be. Where changes are not reviewed a request needs no approval, so that it can be scheduled; there the caller needs the permission of each change.',
    params: inProject.extend({ environment: nameParam }),
    body: z.union([changeBody, z.array(changeBody).min(1, 'must name a change').max(250)]),
    answers: one,
    errors: [403, 404, 409],
    emits: ['change-request-created', 'change-added', 'change-edited'],
  },
  'GET /api/admin/projects/:projectId/change-requests': {
    ...reading,
    summary: 'List the change requests of a project, the newest 1000',
    description: 'Drafts are shown to who made them.',
    params: inProject,
    answers: list,
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/pending': {
    ...reading,
    summary: 'List the change requests of a project that are neither applied nor given up',
    params: inProject,
    answers: list,
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/pending/:featureName': {
    ...reading,
    summary: 'List the pending change requests that would change a flag',
    params: inProject.extend({ featureName: nameParam }),
    answers: list,
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/scheduled': {
    ...reading,
    summary: 'List what is to be changed at a set time in a project',
    params: inProject,
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
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/actionable': {
    ...reading,
    summary: 'How many change requests of a project wait for the caller to do something',
    description: 'To send, approve or apply them, or to look after a schedule that came to nothing.',
    params: inProject,
    answers: { 200: json(z.object({ total: z.number().int() })) },
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/count': {
    ...reading,
    summary: 'How many change requests a project has, by their state; drafts are not counted',
    params: inProject,
    answers: {
      200: json(
        z.object({
          total: z.number().int(),
          approved: z.number().int(),
          applied: z.number().int(),
          rejected: z.number().int(),
          cancelled: z.number().int(),
          reviewRequired: z.number().int(),
          scheduled: z.number().int(),
        }),
      ),
    },
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment': {
    ...reading,
    summary: 'List who may approve change requests in an environment of a project',
    params: inProject.extend({ environment: nameParam }),
    answers: { 200: json(z.array(reviewerSchema)) },
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/change-requests/:id': {
    ...reading,
    summary: 'Get a change request',
    params: byId,
    answers: one,
    errors: [404],
  },
  'DELETE /api/admin/projects/:projectId/change-requests/:id': {
    ...signedIn,
    only: 'who made the change request',
    summary: 'Throw away a draft',
    params: byId,
    answers: { 200: empty },
    errors: [403, 404, 409],
    emits: ['change-request-discarded'],
  },
  'PUT /api/admin/projects/:projectId/change-requests/:id/state': {
    ...signedIn,
    checks: [
      { permission: 'APPROVE_CHANGE_REQUEST', where: 'where it approves or rejects' },
      { permission: 'APPLY_CHANGE_REQUEST', where: 'where it schedules or applies' },
    ],
    summary: 'Send a change request to review, approve, reject, schedule, apply or cancel it',
    description:
      'Approving and rejecting need APPROVE_CHANGE_REQUEST, and nobody approves what they asked for themselves. Applying and scheduling need APPLY_CHANGE_REQUEST where changes are reviewed, and elsewhere the permission of each change; archiving flags, dependencies and segments need theirs in any case. A request whose changes are in conflict is not applied: 409, and nothing is changed.',
    params: byId,
    body: z.object({
      state: z.enum(['In review', 'Approved', 'Rejected', 'Scheduled', 'Applied', 'Cancelled']),
      comment: filledText(4000).optional(),
      scheduledAt: instant.optional().meta({ description: 'Needed for Scheduled' }),
    }),
    answers: one,
    errors: [403, 404, 409],
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
    ...signedIn,
    only: 'who made the change request',
    summary: 'Give a change request a title',
    params: byId,
    body: z.object({ title: label(255) }),
    answers: { 204: empty },
    errors: [403, 404, 409],
    emits: ['change-request-title-updated'],
  },
  'POST /api/admin/projects/:projectId/change-requests/:id/comments': {
    ...signedIn,
    summary: 'Comment on a change request',
    params: byId,
    body: z.object({ text: filledText(4000) }),
    answers: { 204: empty },
    errors: [404, 409],
    emits: ['change-request-commented'],
  },
  'GET /api/admin/projects/:projectId/change-requests/:id/approvers': {
    ...reading,
    summary: 'List who was asked to approve a change request, and whether they did',
    params: byId,
    answers: {
      200: json(z.array(reviewerSchema.extend({ status: z.enum(['pending', 'approved', 'rejected']) }))),
    },
    errors: [404],
  },
  'PUT /api/admin/projects/:projectId/change-requests/:id/approvers': {
    ...signedIn,
    only: 'who made the change request',
    summary: 'Set who is asked to approve a change request',
    params: byId,
    body: z.object({ reviewers: z.array(id).max(100) }),
    answers: { 204: empty },
    errors: [403, 404, 409],
    emits: ['change-request-requested-approvers-updated'],
  },
  'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId': {
    ...signedIn,
    only: 'who made the change request',
    summary: 'Change what a change of a request is to do; approvals and a schedule are lost',
    params: byChange,
    body: changeBody,
    answers: one,
    errors: [403, 404, 409],
    emits: ['change-edited'],
  },
  'DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId': {
    ...signedIn,
    only: 'who made the change request',
    summary:
      'Take a change out of a request; approvals and a schedule are lost. Without any left the request is thrown away',
    params: byChange,
    answers: { 200: empty },
    errors: [403, 404, 409],
    emits: ['change-discarded', 'change-request-discarded'],
  },
  'GET /api/admin/search/change-requests': {
    ...reading,
    summary: 'Search change requests in all projects, the newest first',
    description: 'Drafts are shown to who made them.',
    query: z.object({
      ...paging(50, 1000),
      createdBy: numberFilter('IS', 'IS_ANY_OF').optional(),
      requestedApproverId: numberFilter('IS', 'IS_ANY_OF').optional(),
      actionable: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'With `true` only requests that wait for the caller to approve or apply them' }),
      state: filter('IS', 'IS_ANY_OF')
        .refine(
          ({ values }) => values.every((value) => changeRequestStates.some((state) => state === value)),
          `must name ${changeRequestStates.join(', ')}`,
        )
        .optional(),
    }),
    answers: {
      200: json(z.object({ changeRequests: z.array(changeRequestSchema), total: z.number().int() })),
    },
    errors: [],
  },
});
