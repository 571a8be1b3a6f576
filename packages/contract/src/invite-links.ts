import { z } from 'zod';
import { roleSchema, userSchema } from './accounts.ts';
import { newPassword } from './me.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, instant, label } from './scalars.ts';
import { nameParam } from './text.ts';
import { email } from './users.ts';

/** An invite link. People create their own accounts with it, as Viewers, until the link expires or is disabled. */
const inviteLinkSchema = z.object({
  id,
  name: z.string(),
  enabled: z.boolean(),
  expiresAt: dateTime,
  createdAt: dateTime,
  createdBy: z.string(),
  users: z.array(userSchema.pick({ id: true, name: true, username: true, email: true })),
  role: roleSchema,
});

/** A new invite link with its secret. Only this answer has the secret, because the server stores only a hash of it. */
const newInviteLinkSchema = inviteLinkSchema.extend({ secret: z.string(), url: z.string() });
const byReference = z.object({ token: nameParam.meta({ description: 'The id of the link, or its secret' }) });
const guest = { access: 'public', anyName: true } as const;

/** Invite links: public sign-up (docs/spec#invite-links). */
export const inviteLinkRoutes = defineRoutes('Invite links', {
  'GET /api/admin/invite-link/tokens': {
    access: { permission: 'ADMIN' },
    summary: 'List invite links with the users who signed up by each',
    answers: ok({ tokens: z.array(inviteLinkSchema) }),
    secrets: true,
  },
  'POST /api/admin/invite-link/tokens': {
    access: { permission: 'ADMIN' },
    summary: 'Create an invite link; anyone who has it can sign up as a Viewer',
    description: 'The secret and the URL are shown in this answer only.',
    body: z.object({ name: label(255), expiresAt: instant }),
    answers: { 201: json(newInviteLinkSchema) },
    secrets: true,
    emits: ['public-signup-token-created'],
  },
  'GET /api/admin/invite-link/tokens/:token': {
    access: { permission: 'ADMIN' },
    summary: 'Get an invite link',
    params: byReference,
    answers: { 200: json(inviteLinkSchema) },
    secrets: true,
  },
  'PUT /api/admin/invite-link/tokens/:token': {
    access: { permission: 'ADMIN' },
    summary: 'Enable or disable an invite link, or set its expiry',
    params: byReference,
    body: z
      .object({ enabled: z.boolean().optional(), expiresAt: instant.optional() })
      .refine(({ enabled, expiresAt }) => enabled !== undefined || expiresAt !== undefined, {
        path: ['enabled'],
        error: 'or expiresAt must be given',
      }),
    answers: { 200: json(inviteLinkSchema) },
    secrets: true,
    emits: ['public-signup-token-updated'],
  },
  'GET /invite/:token/validate': {
    ...guest,
    summary: 'Check an invite link: 200 when it is valid, 400 when not',
    answers: { 200: empty },
    errors: [429],
  },
  'POST /invite/:token/signup': {
    ...guest,
    summary: 'Sign up as a Viewer with an invite link',
    body: z.object({
      username: label(255).optional(),
      email,
      name: label(255),
      password: newPassword,
    }),
    answers: { 201: json(userSchema) },
    errors: [409, 429],
    emits: ['user-created', 'public-signup-token-user-added'],
  },
});
