import { z } from 'zod';
import { roleSchema } from './accounts.ts';
import { defineRoutes, empty, json } from './route.ts';
import { id, idParam, label } from './scalars.ts';
import { nameParam, plainText } from './text.ts';

/** A permission that roles can grant. `type` is `root`, `project`, or of those of an environment `environment`. */
export const adminPermissionSchema = z.object({
  id,
  name: z.string(),
  displayName: z.string(),
  type: z.string(),
  environment: z.string().optional(),
});
const permissionList = z.array(adminPermissionSchema);

/** By its name or, as older clients send it, by the id that `GET /api/admin/permissions` shows. */
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
const byRole = z.object({ roleId: idParam });
const tag = 'Roles';
const admin = { tag, access: { permission: 'ADMIN' } } as const;
const reader = { tag, access: { permission: 'READ_ROLE' } } as const;

/** Roles: those that come with the product, and those that an installation makes (docs/spec#roles). */
export const roleRoutes = defineRoutes({
  'GET /api/admin/permissions': {
    tag,
    summary: 'List the permissions that roles can grant; those of environments once for each of them',
    access: 'signed-in',
    answers: {
      200: json(
        z.object({
          version: z.literal(2),
          permissions: z.object({
            root: permissionList,
            project: permissionList,
            environments: z.array(z.object({ name: z.string(), permissions: permissionList })),
          }),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
  'GET /api/admin/roles': {
    ...reader,
    summary: 'List all roles',
    answers: { 200: json(z.object({ version, roles: z.array(roleSchema) })) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/roles': {
    ...admin,
    summary: 'Create a role',
    description:
      'A `root-custom` role is given to users and groups for the whole instance and grants root permissions; a `custom` role is given in projects and grants permissions of projects and environments. A permission of environments holds in all of them when none is named.',
    body: roleBody,
    answers: { 200: json(z.object({ version, roles: roleSchema })) },
    errors: [409],
    emits: ['role-created'],
  },
  'POST /api/admin/roles/validate': {
    ...admin,
    summary: 'Whether a role could be created like this',
    body: roleBody,
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/roles/:roleId': {
    ...reader,
    summary: 'One role with what it grants',
    params: byRole,
    answers: { 200: json(roleSchema.extend({ permissions: permissionList })) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/roles/:roleId': {
    ...admin,
    summary: 'Change a role; what it grants is gone or new with the next request of whoever has it',
    description: 'Without `permissions` it grants what it did. The roles that come with the product stay as they are.',
    params: byRole,
    body: roleBody,
    answers: { 200: json(z.object({ version, roles: roleSchema })) },
    errors: [404, 409],
    emits: ['role-updated'],
  },
  'DELETE /api/admin/roles/:roleId': {
    ...admin,
    summary: 'Delete a role that nobody has',
    params: byRole,
    answers: { 200: empty },
    errors: [404],
    emits: ['role-deleted'],
  },
});
