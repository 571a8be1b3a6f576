import { z } from 'zod';
import { roleSchema } from './accounts.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { id, label } from './scalars.ts';
import { nameParam, plainText } from './text.ts';

/** A permission that roles can grant. `type` is `root`, `project` or `environment`. */
export const adminPermissionSchema = z.object({
  id,
  name: z.string(),
  displayName: z.string(),
  type: z.string(),
  environment: z.string().optional(),
});
const permissionList = z.array(adminPermissionSchema);

/** Refers to a permission by name or, for older clients, by its id in `GET /api/admin/permissions`. */
const permissionReference = z
  .object({
    id: z.number().int().optional(),
    name: plainText(100).optional(),
    environment: nameParam.nullable().optional(),
  })
  .refine(({ id: number, name }) => number !== undefined || name !== undefined, {
    path: ['name'],
    error: 'must be given',
  });

const roleBody = z.object({
  name: label(100),
  description: plainText(4000).optional(),
  type: z.enum(['root-custom', 'custom'], 'must be root-custom, or custom for a role in projects').optional(),
  permissions: z.array(permissionReference).max(10_000).optional(),
});

const version = z.literal(1);
const reader = { permission: 'READ_ROLE' } as const;

/** Roles, built-in and custom (docs/spec#roles). */
export const roleRoutes = defineRoutes('Roles', {
  'GET /api/admin/permissions': {
    summary: 'List the permissions that roles can grant; environment permissions once for each environment',
    access: 'signed-in',
    answers: ok({
      version: z.literal(2),
      permissions: z.object({
        root: permissionList,
        project: permissionList,
        environments: z.array(z.object({ name: z.string(), permissions: permissionList })),
      }),
    }),
  },
  'GET /api/admin/roles': {
    access: reader,
    summary: 'List all roles',
    answers: ok({ version, roles: z.array(roleSchema) }),
  },
  'POST /api/admin/roles': {
    access: { permission: 'ADMIN' },
    summary: 'Create a role',
    description:
      'A `root-custom` role applies to the whole instance: it grants root permissions, and READ_ACTIONS and OVERRIDE_AUTOMATION in every project that its holder sees. A `custom` role applies in projects and grants project and environment permissions. An environment permission without an environment applies to all environments.',
    body: roleBody,
    answers: ok({ version, roles: roleSchema }),
    errors: [409],
    emits: ['role-created'],
  },
  'POST /api/admin/roles/validate': {
    access: { permission: 'ADMIN' },
    summary: 'Validate a role without creating it',
    body: roleBody,
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/roles/:roleId': {
    access: reader,
    summary: 'Get a role with its permissions',
    answers: { 200: json(roleSchema.extend({ permissions: permissionList })) },
  },
  'PUT /api/admin/roles/:roleId': {
    access: { permission: 'ADMIN' },
    summary: 'Update a role; new permissions apply to the next request of its members',
    description: 'Without `permissions`, the permissions are kept. Built-in roles cannot be changed.',
    body: roleBody,
    answers: ok({ version, roles: roleSchema }),
    errors: [409],
    emits: ['role-updated'],
  },
  'DELETE /api/admin/roles/:roleId': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a role that is not granted to any user or group',
    answers: { 200: empty },
    emits: ['role-deleted'],
  },
});
