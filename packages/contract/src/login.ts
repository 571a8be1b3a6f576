import { z } from 'zod';
import { userSchema } from './accounts.ts';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, line } from './scalars.ts';

export const loginRoutes = defineRoutes('Login', {
  'POST /auth/simple/login': {
    summary: 'Log in with a password; the answer sets the cookie of the session',
    description:
      'Logins are rate-limited by client address. After failed logins with a user name, further logins are answered 429 with Retry-After, for up to 15 minutes. Networks from which the user has logged in before are counted separately. A session ends at a fixed time after login, or earlier when it is idle.',
    access: 'public',
    body: z.strictObject({ username: line.max(1000), password: z.string().max(1000) }),
    answers: {
      200: json(
        userSchema.extend({
          activeSessions: z.number().int(),
          deletedSessions: z.number().int(),
          /** The time of the user's previous login; null when unknown. */
          lastLoginAt: dateTime.nullable(),
          /** Failed logins since the previous login, at most 1000. */
          failedLogins: z.number().int().min(0),
        }),
      ),
    },
    errors: [401, 422, 429],
    secrets: true,
    emits: ['user-logged-in'],
  },
  'POST /logout': {
    summary: 'Log out: ends every session of the user and clears the cookie',
    description:
      'Redirects to the page /signed-out. A user who logged in through an OpenID Connect provider is redirected to the provider to log out there too, if single sign-out is enabled.',
    access: 'public',
    answers: { 302: empty },
    errors: [403],
    emits: ['user-logged-out'],
  },
});
