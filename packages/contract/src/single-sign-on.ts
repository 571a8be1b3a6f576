import { z } from 'zod';
import { defineRoutes, empty } from './route.ts';

const parameter = z.string().max(8000).optional();

/**
 * Login through an OpenID Connect provider, at the paths of Unleash (docs/spec#single-sign-on). When login fails, a
 * browser is redirected to the login page, which shows the reason; other clients get the error.
 */
export const singleSignOnRoutes = defineRoutes('Login', {
  'GET /auth/oidc/login': {
    access: 'public',
    summary: 'Redirect a browser to the OpenID Connect provider for login',
    description: '`redirect` is a path on this server to which the browser is redirected after login.',
    query: z.object({ redirect: z.string().max(2000).optional() }),
    answers: { 302: empty },
    errors: [422, 429, 502, 504],
  },
  'GET /auth/oidc/callback': {
    access: 'public',
    summary: 'Complete a login through the OpenID Connect provider; sets the session cookie',
    description:
      'The first login of a person may create a user. If a guest has signed up with the same unverified e-mail address, the first login removes the password and the personal tokens of that account. Every login may add the user to, or remove the user from, groups that are mapped to groups of the provider.',
    query: z.object({
      code: parameter,
      state: parameter,
      iss: parameter,
      error: parameter,
      error_description: parameter,
    }),
    answers: { 302: empty },
    errors: [401, 403, 422, 429, 502, 504],
    emits: [
      'user-created',
      'user-updated',
      'group-user-added',
      'group-user-removed',
      'user-logged-in',
      'session-ended',
      'pat-deleted',
    ],
  },
});
