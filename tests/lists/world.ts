import { givenCaller, givenGroup, givenRole, giveRoles } from '../../apps/server/testing/access.ts';
import { givenApplication } from '../../apps/server/testing/applications.ts';
import { givenContextField } from '../../apps/server/testing/context-fields.ts';
import { author } from '../../apps/server/testing/database.ts';
import {
  addStrategy,
  freshName,
  givenArchived,
  givenDefault,
  givenEnvironment,
  givenFlag,
  givenProject,
} from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { givenDelivery, givenIntegration } from '../../apps/server/testing/integrations.ts';
import { givenUser, goodPassword, logIn } from '../../apps/server/testing/people.ts';
import { givenPlan } from '../../apps/server/testing/release-plans.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, givenToken as givenEndpointToken } from '../../apps/server/testing/signals.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { addRuns, givenSetWithRun, runParams } from './action-runs.ts';
import { givenReviewed } from './change-requests.ts';

/** Path parameters and callers for the requests of lists. */
export interface Rooted {
  readonly params: Readonly<Record<string, string>>;
  /** Headers of an administrator. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of a user with project roles. */
  readonly ofMember: Readonly<Record<string, string>>;
  /**
   * The path parameters of a draft change request, of a flag that other requests change too, and the headers of its
   * author.
   */
  readonly ofReview: Pick<Rooted, 'params' | 'headers'>;
  /** Adds one item to every list that belongs to the objects in `params`. */
  grow(): Promise<void>;
}

type Route = Parameters<TestServer['admin']['call']>[0];

const expiresAt = '2099-01-01T00:00:00.000Z';
let versions = 0;

interface Asking {
  readonly server: TestServer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a project, a flag, a segment and so on, to each of which any number of items can be added. */
async function givenRoots(server: TestServer) {
  const projectId = await givenProject(server);
  const segment = await givenSegment(server);
  const contextField = await givenContextField(server, { legalValues: [{ value: 'first' }] });
  const ofProject = await givenContextField(server, { project: projectId });
  const flag = await givenFlag(server, {}, projectId);
  const endpoint = await givenEndpoint(server);
  const role = await givenRole(server, { permissions: [{ name: 'UPDATE_FEATURE' }] });
  const quiet = await givenProject(server);
  const group = await givenGroup(server);
  const robot = await givenCaller(server, 'Viewer');
  const admin = await givenUser(server, 'Admin');
  const [headers, member] = [await logIn(server.anonymous, admin), await givenUser(server)];
  const ofMember = await logIn(server.anonymous, member);
  const lone = await givenFlag(server, {}, projectId);
  const link = { name: freshName('invite'), expiresAt };
  const invite = await made({ server, headers }, 'POST /api/admin/invite-link/tokens', {}, link);
  const seen = { sdkVersion: 'unleash-client-node:5.0.0', flags: [flag.featureName] };
  const application = await givenApplication(server, seen);
  const integration = await givenIntegration(server);
  const reviewed = await givenReviewed(server);
  const actionSet = await givenSetWithRun(server, endpoint, flag);
  const params = {
    ...flag,
    environment: 'development',
    contextField,
    segmentId: String(segment.id),
    signalEndpointId: String(endpoint.id),
    roleId: String(role.id),
    groupId: String(group.id),
    robotId: String(robot.id),
    token: invite.secret as string,
    appName: application,
    strategyId: await addStrategy(server, { ...flag, environment: 'development' }, { name: 'default' }),
    tagType: 'simple',
    ofProject,
    memberId: String(member.id),
    quiet,
    lone: lone.featureName,
    integrationId: String(integration.id),
    ...runParams(actionSet),
  };
  return {
    server,
    headers,
    ofMember,
    params,
    flag,
    projectId,
    quiet,
    segment,
    contextField,
    ofProject,
    endpoint,
    role,
    group,
    robot,
    member,
    admin,
    integration,
    reviewed,
    actionSet,
  };
}

type Roots = Awaited<ReturnType<typeof givenRoots>>;

async function made({ server, headers }: Asking, route: Route, path: object, body?: object) {
  const reply = await server.anonymous.call(route, { params: { ...path } as Record<string, string>, body, headers });
  if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
  return reply.text === '' ? undefined : reply.json;
}

async function growFlags(roots: Roots): Promise<void> {
  const { server, flag, projectId, segment, contextField, ofProject } = roots;
  const feature = '/api/admin/projects/:projectId/features/:featureName' as const;
  const tag = { type: 'simple', value: freshName('tag') };
  const child = await givenFlag(server, { tags: [tag] }, projectId);
  await made(roots, `POST ${feature}/dependencies`, child, { feature: flag.featureName });
  await made(roots, 'POST /api/admin/features/:featureName/tags', flag, { ...tag });
  await givenArchived(server, projectId);
  const constraints = [contextField, ofProject].map((contextName) => ({
    contextName,
    operator: 'IN',
    values: ['first'],
  }));
  // Strategies of a flag in an environment are limited, so not all are added to the flag that has dependents.
  const body = { name: 'default', constraints, segments: [segment.id] };
  await addStrategy(server, { ...child, environment: 'development' }, body);
  await addStrategy(server, { ...flag, environment: 'development' }, { name: 'default' });
  for (const held of [flag, child]) {
    await givenHold(server, { ...held, environment: 'production' }, { effect: 'off', key: freshName('hold') });
  }
  const steps = ['10 %', '50 %'].map((name) => ({ name, strategies: [{ name: 'default' }] }));
  await givenPlan(server, steps, { ...(await givenFlag(server, {}, projectId)), environment: 'development' });
  const environment = await givenEnvironment(server);
  await made(roots, 'POST /api/admin/projects/:projectId/environments', { projectId }, { environment });
  await givenDefault(server, { name: 'default' });
  await givenSegment(server);
  await givenSegment(server, { project: projectId });
  await givenContextField(server);
  await givenContextField(server, { project: projectId });
  const legal = { value: freshName('legal') };
  await made(roots, 'POST /api/admin/context/:contextField/legal-values', { contextField }, legal);
  await made(roots, 'POST /api/admin/tag-types', {}, { name: freshName('type') });
  await made(roots, 'POST /api/admin/strategies', {}, { name: freshName('custom'), parameters: [] });
}

async function growAccess(roots: Roots): Promise<void> {
  const { server, ofMember, params, projectId, quiet, role, group, robot, member, admin } = roots;
  const user = await givenUser(server);
  await logIn(server.anonymous, user);
  // A user who has not logged in for a long time.
  const { id } = await givenUser(server);
  const long = { created_at: 1, seen_at: null };
  await server.app.database.writeQuietly('last seen', author, async (tx) => {
    await tx.db.updateTable('users').set(long).where('id', '=', id).execute();
  });
  const guest = freshName('guest');
  const signup = { name: guest, username: guest, email: `${guest}@example.com`, password: goodPassword };
  await made(roots, 'POST /invite/:token/signup', { token: params.token }, signup);
  const caller = await givenCaller(server, 'Admin');
  const own = await givenGroup(server, [user.id]);
  const grants = await givenRole(server);
  await giveRoles(server, projectId, [role.id, grants.id], { users: [user.id], groups: [own.id] });
  const users = [robot.id, member.id];
  await giveRoles(server, await givenProject(server), [role.id], { users, groups: [group.id] });
  await giveRoles(server, projectId, [grants.id], { users: [...users, admin.id] });
  const favorite = await givenFlag(server, {}, quiet);
  await server.anonymous.call('POST /api/admin/projects/:projectId/features/:featureName/favorites', {
    params: favorite,
    headers: ofMember,
  });
  await made(roots, 'POST /api/admin/invite-link/tokens', {}, { name: freshName('invite'), expiresAt });
  await givenToken(server, { projects: [projectId] });
  // A user who has created a flag, and so is the author of an event.
  const body = { name: freshName('flag') };
  await caller.client.call('POST /api/admin/projects/:projectId/features', { params: { projectId }, body });
  await made(roots, 'POST /api/admin/projects/:projectId/features', { projectId }, { name: freshName('own') });
}

/**
 * Adds an integration and a delivery. The delivery is written to the database: integrations may not send to this
 * machine.
 */
async function growIntegrations({ server, integration }: Roots): Promise<void> {
  await givenIntegration(server);
  await givenDelivery(server, integration.id, 'delivered');
}

async function growReports(roots: Roots): Promise<void> {
  const { server, flag, endpoint, actionSet } = roots;
  await made(roots, 'POST /api/admin/banners', {}, { message: freshName('banner') });
  await made(roots, 'PUT /api/admin/event-consumers/:name', { name: freshName('consumer') }, {});
  await made(roots, 'POST /feedback', {}, { category: freshName('opinion') });
  await givenEndpoint(server);
  await givenEndpointToken(server, endpoint.id, freshName('t'));
  await addRuns(server, actionSet);
  await givenApplication(server, {
    sdkVersion: `unleash-client-node:3.0.${versions++}`,
    flags: [flag.featureName, freshName('unknown')],
  });
}

/** Creates the objects that lists belong to. The returned `grow` adds items to the lists. */
export async function rootedWorld(server: TestServer): Promise<Rooted> {
  const roots = await givenRoots(server);
  const { params, headers, ofMember } = roots;
  return {
    params,
    headers,
    ofMember,
    ofReview: roots.reviewed,
    grow: async () => {
      await growFlags(roots);
      await growAccess(roots);
      await growReports(roots);
      await growIntegrations(roots);
      await roots.reviewed.grow();
    },
  };
}
