import { z } from 'zod';
import { defineRoutes, empty } from './route.ts';

const guest = { tag: 'Login', access: 'public' } as const;
const parameter = z.string().max(8000).optional();

/**
 * Login through an OpenID Connect provider, at the paths that Unleash has it (docs/spec#single-sign-on). A browser that
 * asks for a page is led to the one of the login when either fails, which shows why; others get the error.
 */
export const singleSignOnRoutes = defineRoutes({
  'GET /auth/oidc/login': {
    ...guest,
    summary: 'Send a browser to the OpenID Connect provider to log in there',
    description: '`redirect` is a path here, to which the browser is led once its user has logged in.',
    query: z.object({ redirect: z.string().max(2000).optional() }),
    answers: { 302: empty },
    errors: [422, 429, 502, 504],
    emits: [],
  },
  'GET /auth/oidc/callback': {
    ...guest,
    summary: 'Where the OpenID Connect provider sends the browser back to; sets the cookie of the session',
    description:
      'The first login of somebody may create the user, or end the password that a guest chose whose address nobody had verified, and each may put users into groups and take them out of groups that are mapped to groups of the provider.',
    query: z.object({
      code: parameter,
      state: parameter,
      iss: parameter,
      error: parameter,
      error_description: parameter,
    }),
    answers: { 302: empty },
    errors: [401, 403, 422, 429, 502, 504],
    emits: ['user-created', 'user-updated', 'group-user-added', 'group-user-removed'],
  },
});
