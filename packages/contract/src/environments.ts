import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { defaultStrategySchema } from './strategies.ts';
import { filledText, nameParam, sortOrder, urlFriendly } from './text.ts';

const base = {
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  protected: z.boolean(),
  sortOrder: z.number().int(),
  requiredApprovals: z.number().int().nullable(),
};

const environmentSchema = z.object({
  ...base,
  projectCount: z.number().int(),
  apiTokenCount: z.number().int(),
  enabledToggleCount: z.number().int(),
});

const projectEnvironmentSchema = z.object({
  ...base,
  projectApiTokenCount: z.number().int(),
  projectEnabledToggleCount: z.number().int(),
  visible: z.literal(true),
  defaultStrategy: defaultStrategySchema.optional().meta({ description: 'Absent when the project has none' }),
});

const requiredApprovals = z
  .number()
  .int()
  .min(1)
  .max(100)
  .nullable()
  .meta({ description: 'The number of approvals that a change request needs in the environment' });

export const environmentRoutes = defineRoutes('Environments', {
  'GET /api/admin/environments': {
    access: 'signed-in',
    summary: 'List environments in order',
    answers: ok({ version: z.literal(1), environments: z.array(environmentSchema) }),
  },
  'GET /api/admin/environments/:name': {
    access: 'signed-in',
    summary: 'Get an environment',
    answers: { 200: json(environmentSchema) },
  },
  'GET /api/admin/environments/project/:projectId': {
    access: 'signed-in',
    summary: 'List the environments of a project, with counts of its API tokens and enabled flags',
    answers: ok({ version: z.literal(1), environments: z.array(projectEnvironmentSchema) }),
  },
  'POST /api/admin/environments': {
    access: { permission: 'ADMIN' },
    summary: 'Create an environment, by default enabled and last in the order',
    description: 'The environment is not added to existing projects. Add it to the projects that need it.',
    body: z.object({
      name: urlFriendly,
      type: filledText(100),
      enabled: z.boolean().optional(),
      sortOrder: sortOrder.optional(),
      requiredApprovals: requiredApprovals.optional(),
    }),
    answers: { 201: json(environmentSchema) },
    errors: [409],
    emits: ['environment-created'],
  },
  'POST /api/admin/environments/:name/clone': {
    access: { permission: 'ADMIN' },
    summary: 'Clone an environment',
    description:
      'Adds the new environment to the named projects, or to all projects of the source environment. Copies the state, strategies and variants of flags, and the change control. With `clonePermissions`, custom roles grant the same permissions in the new environment.',
    body: z.object({
      name: urlFriendly,
      type: filledText(100),
      projects: z.array(nameParam).max(10_000).optional(),
      clonePermissions: z.boolean().optional(),
    }),
    answers: { 200: json(environmentSchema) },
    errors: [409],
    emits: [
      'environment-created',
      'project-environment-added',
      'default-strategy-updated',
      'role-updated',
      'change-request-configuration-updated',
    ],
  },
  'PUT /api/admin/environments/update/:name': {
    access: { permission: 'ADMIN' },
    summary: 'Update the type, position or required approvals of an environment',
    body: z.object({
      type: filledText(100).optional(),
      sortOrder: sortOrder.optional(),
      requiredApprovals: requiredApprovals.optional(),
    }),
    answers: { 200: json(environmentSchema) },
    emits: ['environment-updated'],
  },
  'DELETE /api/admin/environments/:name': {
    access: { permission: 'ADMIN' },
    summary: 'Delete an environment with its API tokens and strategies',
    description:
      'Refused while a flag is enabled in the environment, while enabled actions use it, or while a project has no other environment.',
    answers: { 200: empty },
    errors: [400, 409],
    emits: ['environment-deleted', 'project-environment-removed', 'api-token-deleted', 'feature-lease-released'],
  },
  'POST /api/admin/environments/validate': {
    access: { permission: 'ADMIN' },
    summary: 'Check whether a name is available for an environment',
    body: z.object({ name: urlFriendly }),
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'PUT /api/admin/environments/sort-order': {
    access: { permission: 'ADMIN' },
    summary: 'Set the order of environments',
    body: z.record(z.string(), sortOrder),
    answers: { 200: empty },
    errors: [404],
    emits: ['environment-updated'],
  },
  'POST /api/admin/environments/:name/on': {
    access: { permission: 'ADMIN' },
    summary: 'Enable an environment: new projects get it',
    answers: { 204: empty },
    emits: ['environment-updated'],
  },
  'POST /api/admin/environments/:name/off': {
    access: { permission: 'ADMIN' },
    summary: 'Disable an environment: new projects do not get it; existing flags are not changed',
    answers: { 204: empty },
    emits: ['environment-updated'],
  },
});
