import { givenRole, giveRoles } from './access.ts';
import { givenReview } from './change-requests.ts';
import { type FlagEnvironmentParams, givenFlag, givenProject } from './flags.ts';
import { givenUser, logIn } from './people.ts';
import type { TestServer } from './server.ts';

export const breakGlassPermission = 'BREAK_GLASS_CHANGE_REQUEST';

/** Returns the request header that gives the reason for breaking glass. */
export const glass = (reason: string) => ({ 'yardarm-break-glass': encodeURIComponent(reason) });

export interface Person {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a logged-in user with roles in a project. */
export async function givenPerson(
  server: TestServer,
  projectId: string,
  roles: readonly number[],
  rootRole = 'Viewer',
): Promise<Person> {
  const user = await givenUser(server, rootRole);
  if (roles.length > 0) await giveRoles(server, projectId, roles, { users: [user.id] });
  return { id: user.id, headers: await logIn(server.anonymous, user) };
}

/** Creates a role that may break glass. */
export async function givenBreakGlassRole(server: TestServer): Promise<number> {
  return (await givenRole(server, { permissions: [{ name: breakGlassPermission }] })).id;
}

/** Creates a flag of a project whose production environment is reviewed. */
export async function givenReviewed(server: TestServer): Promise<FlagEnvironmentParams> {
  const flag = await givenFlag(server, {}, await givenProject(server));
  await givenReview(server, flag.projectId, 'production');
  return { ...flag, environment: 'production' };
}

/** Switches a flag on with the session of a person. */
export const switchOn = (server: TestServer, params: FlagEnvironmentParams, headers: Person['headers']) =>
  server.anonymous.call('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
    params,
    headers,
  });

/** Returns the unacknowledged uses of break-glass that a person sees. */
export const usesSeenBy = async (server: TestServer, headers: Person['headers']) =>
  (await server.anonymous.call('GET /api/admin/change-requests/break-glass', { headers })).json.uses as {
    id: number;
    project: string;
    environments: string[];
    reason: string;
    own: boolean;
    createdAt: string;
    createdBy: { username: string };
    changes: unknown[];
  }[];
