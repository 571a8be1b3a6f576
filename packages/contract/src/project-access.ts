import { z } from 'zod';
import { roleSchema, userSchema } from './accounts.ts';
import { groupSchema } from './groups.ts';
import { adminPermissionSchema } from './roles.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id } from './scalars.ts';
import { nameParam } from './text.ts';

/** The roles of a member in a project; `roleId` is the first of `roles`. */
const held = { addedAt: dateTime, roleId: id, roles: z.array(id) };
const memberSchema = userSchema
  .pick({ id: true, isAPI: true, name: true, username: true, email: true, accountType: true })
  .extend(held);

const count = z.number().int().min(0);
const ids = z.array(id).max(1000);
const roles = ids.max(100);
const write = {
  access: { permission: 'PROJECT_USER_ACCESS_WRITE' },
  answers: { 200: empty },
  errors: [409],
} as const;

const heldPermissions = z.array(adminPermissionSchema.extend({ hasPermission: z.boolean() }));
/** The permissions of an account, in the instance, a project and an environment. */
const permissionOverviewSchema = z.object({
  overview: z.object({ root: heldPermissions, project: heldPermissions, environment: heldPermissions }),
  user: userSchema.pick({ id: true, name: true, username: true, email: true, accountType: true }),
  rootRole: roleSchema,
  projectRoles: z.array(roleSchema),
});
const overviewOf = {
  tag: 'Users',
  access: { permission: 'ADMIN' },
  query: z.object({ project: nameParam.optional(), environment: nameParam.optional() }),
  answers: { 200: json(permissionOverviewSchema) },
} as const;

/** Members of projects and their roles (docs/spec#project-access). */
export const projectAccessRoutes = defineRoutes('Project access', {
  'GET /api/admin/projects/:projectId/access': {
    access: { permission: 'PROJECT_USER_ACCESS_READ' },
    summary: 'List the members of a project, and the roles that can be granted in it',
    answers: ok({
      users: z.array(memberSchema),
      groups: z.array(groupSchema.extend(held)),
      roles: z.array(roleSchema),
    }),
  },
  'POST /api/admin/projects/:projectId/access': {
    ...write,
    summary: 'Grant roles in a project to users and groups, in addition to their existing roles',
    description: 'Callers cannot grant or revoke a role with permissions that they do not have in the project.',
    body: z.object({ roles: roles.min(1, 'must name a role'), groups: ids, users: ids }),
    emits: ['project-access-added'],
  },
  'PUT /api/admin/projects/:projectId/access': {
    ...write,
    summary: 'Replace the members of a project and their roles',
    body: z.object({ roles: z.array(z.object({ id, groups: ids.default([]), users: ids.default([]) })).max(100) }),
    emits: ['project-access-updated'],
  },
  'PUT /api/admin/projects/:projectId/users/:userId/roles': {
    ...write,
    summary: 'Set the roles of a user in a project',
    body: z.object({ roles }),
    emits: ['project-access-user-roles-updated'],
  },
  'DELETE /api/admin/projects/:projectId/users/:userId/roles': {
    ...write,
    summary: 'Revoke all roles of a user in a project',
    emits: ['project-access-user-roles-deleted'],
  },
  'PUT /api/admin/projects/:projectId/groups/:groupId/roles': {
    ...write,
    summary: 'Set the roles of a group in a project',
    body: z.object({ roles }),
    emits: ['project-access-group-roles-updated'],
  },
  'DELETE /api/admin/projects/:projectId/groups/:groupId/roles': {
    ...write,
    summary: 'Revoke all roles of a group in a project',
    emits: ['project-access-group-roles-deleted'],
  },
  'GET /api/admin/projects/roles/:roleId/access': {
    summary: 'List the projects in which a role is granted, with the number of members',
    access: { permission: 'READ_ROLE' },
    answers: ok({
      projects: z.array(
        z.object({
          project: z.string(),
          role: id,
          userCount: count,
          serviceAccountCount: count,
          groupCount: count,
        }),
      ),
    }),
  },
  'GET /api/admin/access/overview': {
    tag: 'Users',
    summary: 'List the projects and groups of every user and service account',
    access: { permission: 'ADMIN' },
    answers: ok({
      overview: z.array(
        z.object({
          userId: id,
          userName: z.string().nullable(),
          userEmail: z.string().nullable(),
          accountType: z.enum(['User', 'Service Account']),
          createdAt: dateTime,
          lastSeen: dateTime.nullable(),
          rootRole: z.string(),
          /** Projects in which the account itself has a role. */
          accessibleProjects: z.array(z.string()),
          groups: z.array(z.string()),
          /** Projects in which a group of the account has a role. */
          groupProjects: z.array(z.string()),
        }),
      ),
    }),
  },
  'GET /api/admin/user-admin/:id/permissions': {
    ...overviewOf,
    summary: 'List the permissions of a user',
  },
  'GET /api/admin/service-account/:id/permissions': {
    ...overviewOf,
    tag: 'Service accounts',
    summary: 'List the permissions of a service account',
  },
  'GET /api/admin/user-admin/access': {
    tag: 'Users',
    summary: 'List all users, service accounts and groups, for granting roles',
    access: 'signed-in',
    answers: ok({
      users: z.array(
        userSchema.pick({ id: true, isAPI: true, name: true, username: true, email: true, accountType: true }),
      ),
      groups: z.array(groupSchema.pick({ id: true, name: true, userCount: true, rootRole: true })),
    }),
  },
});
