import { type Caller, givenMember } from './access.ts';
import type { ApiClient } from './client.ts';
import { type FlagEnvironmentParams, givenFlag, givenProject } from './flags.ts';
import type { TestServer } from './server.ts';

const inProject = '/api/admin/projects/:projectId' as const;

/** Turns review on in an environment of a project. */
export async function givenReview(
  server: TestServer,
  projectId: string,
  environment = 'development',
  requiredApprovals = 1,
): Promise<void> {
  const body = { changeRequestsEnabled: true, requiredApprovals };
  const params = { projectId, environment };
  await done(server.admin, 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config', {
    params,
    body,
  });
}

/** A flag in a new project, and the author of change requests for it: a Member of the project. */
export interface GivenPlace {
  readonly params: FlagEnvironmentParams;
  readonly author: Caller;
}

/** Creates a place whose changes in development need `requiredApprovals`; with 0 they are not reviewed. */
export async function givenPlace(server: TestServer, requiredApprovals = 1): Promise<GivenPlace> {
  const projectId = await givenProject(server);
  const params = { ...(await givenFlag(server, {}, projectId)), environment: 'development' };
  if (requiredApprovals > 0) await givenReview(server, projectId, 'development', requiredApprovals);
  return { params, author: await givenMember(server, projectId, 5) };
}

/** Returns the change that switches the flag on. */
export function switchingOn({ featureName }: FlagEnvironmentParams) {
  return { action: 'updateEnabled', feature: featureName, payload: { enabled: true } };
}

/** Requests changes and returns the change request. */
export async function requestChanges(client: ApiClient, params: FlagEnvironmentParams, body: unknown) {
  const route = `POST ${inProject}/environments/:environment/change-requests` as const;
  return (await done(client, route, { params, body })).json;
}

/** Sets the state of a change request. */
export async function setRequestState(
  client: ApiClient,
  projectId: string,
  id: number,
  state: string,
  more: object = {},
): Promise<void> {
  await done(client, `PUT ${inProject}/change-requests/:id/state`, {
    params: { projectId, id },
    body: { state, ...more },
  });
}

/** Returns a request as the API shows it to an administrator. */
export async function readRequest(server: TestServer, projectId: string, id: number) {
  return (await done(server.admin, `GET ${inProject}/change-requests/:id`, { params: { projectId, id } })).json;
}

export interface GivenRequest extends GivenPlace {
  readonly id: number;
  /** The path parameters of the request. */
  readonly at: { readonly projectId: string; readonly id: number };
  /** Ids of the changes of the request. */
  readonly changeIds: readonly number[];
}

/** Creates a draft that switches the flag on, or makes `changes`. */
export async function givenDraft(
  server: TestServer,
  requiredApprovals = 1,
  changes?: (place: GivenPlace) => Promise<unknown>,
): Promise<GivenRequest> {
  const place = await givenPlace(server, requiredApprovals);
  const body = changes === undefined ? switchingOn(place.params) : await changes(place);
  const { id, features, segments } = await requestChanges(place.author.client, place.params, body);
  const all = [...features.flatMap((feature: { changes: { id: number }[] }) => feature.changes), ...segments];
  const changeIds = all.map((change: { id: number }) => change.id).sort((a: number, b: number) => a - b);
  return { ...place, id, at: { projectId: place.params.projectId, id }, changeIds };
}

/** Creates a draft like {@link givenDraft} and sends it to review. */
export async function givenSent(...given: Parameters<typeof givenDraft>): Promise<GivenRequest> {
  const request = await givenDraft(...given);
  await setRequestState(request.author.client, request.params.projectId, request.id, 'In review');
  return request;
}

/** Creates a request like {@link givenSent}, approved by an administrator. */
export async function givenApproved(...given: Parameters<typeof givenDraft>): Promise<GivenRequest> {
  const request = await givenSent(...given);
  await setRequestState(given[0].admin, request.params.projectId, request.id, 'Approved');
  return request;
}

/**
 * Creates a request like {@link givenApproved}, scheduled `inMs` from now by the server's clock, by an administrator.
 */
export async function givenScheduled(
  server: TestServer,
  { inMs = 3_600_000, by = server.admin }: { readonly inMs?: number; readonly by?: ApiClient } = {},
  changes?: (place: GivenPlace) => Promise<unknown>,
): Promise<GivenRequest> {
  const request = await givenApproved(server, 1, changes);
  const scheduledAt = new Date(server.clock.now() + inMs).toISOString();
  await setRequestState(by, request.params.projectId, request.id, 'Scheduled', { scheduledAt });
  return request;
}

async function done(client: ApiClient, ...[route, call]: Parameters<ApiClient['call']>) {
  const reply = await client.call(route, call);
  if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
  return reply;
}
