import { z } from 'zod';
import { userSchema } from './accounts.ts';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, line } from './scalars.ts';

export const loginRoutes = defineRoutes({
  'POST /auth/simple/login': {
    tag: 'Login',
    summary: 'Log in with a password; the answer sets the cookie of the session',
    description:
      'Logins are limited a minute for each client address. Failed logins with one user name delay the next one, with 429 and Retry-After, up to 15 minutes; not those from networks that the user has logged in from before, which have counts of their own. A session ends by its time, which use does not prolong, or when it is not used for long.',
    access: 'public',
    body: z.strictObject({ username: line.max(1000), password: z.string().max(1000) }),
    answers: {
      200: json(
        userSchema.extend({
          activeSessions: z.number().int(),
          deletedSessions: z.number().int(),
          /** When the user logged in before this; null when that is not known. */
          lastLoginAt: dateTime.nullable(),
          /** Logins that have failed since, at most 1000. */
          failedLogins: z.number().int().min(0),
        }),
      ),
    },
    errors: [401, 422, 429],
    secrets: true,
    emits: [],
  },
  'POST /logout': {
    tag: 'Login',
    summary: 'Log out: ends every session of the user and clears the cookie',
    description:
      'Leads to the page /signed-out. Whoever came through an OpenID Connect provider is led there to log out of it too, when the settings say so.',
    access: 'public',
    answers: { 302: empty },
    errors: [403],
    emits: [],
  },
});
