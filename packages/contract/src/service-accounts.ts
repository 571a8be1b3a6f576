import { z } from 'zod';
import { roleSchema, rootRoleReference, userSchema } from './accounts.ts';
import { createdPatSchema, createPatBody, patSchema } from './personal-tokens.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { id, label } from './scalars.ts';

const serviceAccountSchema = userSchema.extend({ id, username: z.string(), tokens: z.array(patSchema) });

/**
 * Service accounts: accounts of programs, with tokens and a root role, without a password (docs/spec#service-accounts).
 */
export const serviceAccountRoutes = defineRoutes('Service accounts', {
  'GET /api/admin/service-account': {
    access: { permission: 'ADMIN' },
    summary: 'List service accounts, with their tokens and all root roles',
    answers: ok({ serviceAccounts: z.array(serviceAccountSchema), rootRoles: z.array(roleSchema) }),
  },
  'POST /api/admin/service-account': {
    access: { permission: 'ADMIN' },
    summary: 'Create a service account',
    body: z.object({ username: label(255), name: label(255), rootRole: rootRoleReference }),
    answers: { 201: json(serviceAccountSchema) },
    errors: [409],
    emits: ['service-account-created'],
  },
  'PUT /api/admin/service-account/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Update the name or the root role of a service account',
    body: z.object({ name: label(255).optional(), rootRole: rootRoleReference.optional() }),
    answers: { 200: json(serviceAccountSchema) },
    emits: ['service-account-updated'],
  },
  'DELETE /api/admin/service-account/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a service account and its tokens',
    description: 'Refused while enabled actions run as it.',
    answers: { 200: empty },
    errors: [409],
    emits: ['service-account-deleted'],
  },
  'GET /api/admin/service-account/:id/token': {
    access: { permission: 'ADMIN' },
    summary: 'List the tokens of a service account',
    answers: ok({ pats: z.array(patSchema) }),
  },
  'POST /api/admin/service-account/:id/token': {
    access: { permission: 'ADMIN' },
    summary: 'Create a token of a service account, at most 10; its secret is shown in this answer only',
    body: createPatBody,
    answers: { 201: json(createdPatSchema) },
    errors: [409],
    secrets: true,
    emits: ['service-account-token-created'],
  },
  'DELETE /api/admin/service-account/:id/token/:tokenId': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a token of a service account; it is invalid at once',
    answers: { 200: empty },
    emits: ['service-account-token-deleted'],
  },
});
