import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import type { Installation } from '../installation.ts';
import { createSender } from '../scenarios/signal-sender.ts';
import { seedApplications } from '../seed/applications.ts';
import { seedEvents } from '../seed/events.ts';
import { seedOrganisation } from '../seed/organisation.ts';
import { seedSignals } from '../seed/signals.ts';
import type { RunningServer } from '../server.ts';
import type { Filled } from './requests.ts';

export interface FilledSize {
  readonly projects: number;
  readonly flagsPerProject: number;
  readonly people: number;
  readonly applications: number;
  readonly instancesEach: number;
  readonly events: number;
}

/** The project, flag and environment that paths name. */
export const named = { project: 'team-0', flag: 'team-0-0', environment: 'development' } as const;

/** Fills an installation with objects for all GET routes; returns the parameters of their paths. */
export async function fillForStalls(installation: Installation, size: FilledSize): Promise<Filled> {
  {
    await using server = await installation.start();
    await createSender(server, installation.adminToken);
  }
  await seedOrganisation(installation, size);
  const projects = Array.from({ length: size.projects }, (_, index) => `team-${index}`);
  await seedApplications(installation, {
    applications: size.applications,
    instancesEach: size.instancesEach,
    projects: projects.slice(0, 2),
    countedFlag: named.flag,
    unknownFlags: Math.min(5000, size.applications * 5),
  });
  await seedEvents(installation, {
    count: size.events,
    flags: size.projects * size.flagsPerProject,
    smallProject: named.project,
  });
  await seedSignals(installation, size.events);
  return nameEverything(installation);
}

/** Adds objects that the seeds lack, and returns the parameters of paths for each kind of object. */
async function nameEverything(installation: Installation): Promise<Filled> {
  // More users are created here than one address may create in a minute, and PostgreSQL keeps that count between
  // starts.
  await using server = await installation.start({
    CREATE_USER_RATE_LIMIT_PER_MINUTE: '0',
    UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION: 'true',
  });
  const post = <Body>(path: string, body: unknown) =>
    callApi<Body>(server.origin, installation.adminToken, 'POST', `/api/admin/${path}`, body);
  const get = <Body>(path: string) =>
    callApi<Body>(server.origin, installation.adminToken, 'GET', `/api/admin/${path}`);
  const { project, flag, environment } = named;
  const { serviceAccounts } = await get<{ serviceAccounts: { id: number }[] }>('service-account');
  const robot = String(serviceAccounts[0]?.id);
  const { secret } = await post<{ secret: string }>('invite-link/tokens', {
    name: 'bench',
    expiresAt: '2099-01-01T00:00:00.000Z',
  });
  const addon = await post<{ id: number }>('addons', {
    provider: 'webhook',
    enabled: true,
    // Nothing listens there.
    parameters: { url: 'http://127.0.0.1:9/hook' },
    events: ['feature-tagged'],
  });
  const delivery = await firstDelivery(post, get, addon.id);
  const run = await runActions(post, get, Number(robot));
  const request = await askForChange(server, installation.adminToken, post);
  await post(`projects/${project}/context`, { name: 'of-team' });
  const everyone = { name: 'Everyone', strategies: [{ name: 'default' }] };
  const template = await post<{ id: string }>('release-plan-templates', { name: 'bench', milestones: [everyone] });
  const cookie = await logIn(server, post);
  const values = {
    projectId: project,
    featureName: flag,
    parent: flag,
    environment,
    strategyId: `${flag}-strategy-0`,
    contextField: 'userId',
    signalEndpointId: '1',
    'signal-endpoints/:id': '1',
    roleId: '4',
    groupId: '1',
    appName: 'app-0',
    token: secret,
    actionSetId: run.set,
    runId: run.id,
    incidentId: run.incident,
    templateId: template.id,
    type: 'simple',
    value: 'everyone',
    'api-tokens/:name': project,
    'environments/:name': environment,
    'strategies/:name': 'flexibleRollout',
    'client-metrics/features/:name': flag,
    'tag-types/:name': 'simple',
    'change-requests/:id': String(request.id),
    'user-admin/:id': '1',
    'service-account/:id': robot,
    'segments/:id': '1',
    'addons/:id': String(addon.id),
    'integrations/:id': String(addon.id),
    deliveryId: delivery,
    'event-types/:type': 'feature-created',
    'projects/:projectId/context/:contextField': 'of-team',
  };
  return { values, cookie };
}

type Post = <Body>(path: string, body: unknown) => Promise<Body>;
type Get = <Body>(path: string) => Promise<Body>;

/** Records an event that the integration sends. Returns the id of its delivery. */
async function firstDelivery(post: Post, get: Get, integration: number): Promise<string> {
  await post(`features/${named.flag}/tags`, { type: 'simple', value: 'delivered' });
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const { deliveries } = await get<{ deliveries: { id: number }[] }>(`integrations/${integration}/deliveries`);
    if (deliveries[0] !== undefined) return String(deliveries[0].id);
    await pause(50);
  }
  throw new Error('The integration has no delivery after 10 s');
}

/** Creates an action set and runs it once. Returns the ids of the set, of the run and of its incident. */
async function runActions(post: Post, get: Get, actorId: number) {
  const { project, flag, environment } = named;
  const set = await post<{ id: number }>(`projects/${project}/actions`, {
    name: 'bench',
    actorId,
    match: { source: 'signal-endpoint', sourceId: 1, payload: {} },
    actions: [
      { action: 'TOGGLE_FEATURE_ON', sortOrder: 1, executionParams: { project, environment, featureName: flag } },
      // Changes the flag in any case: seeded flags may be on.
      { action: 'ADD_TAG', sortOrder: 2, executionParams: { project, featureName: flag, tag: 'simple:run' } },
    ],
  });
  const { signals } = await get<{ signals: { id: number }[] }>('signals?limit=1');
  const path = `projects/${project}/actions/${set.id}`;
  await post(`${path}/replay`, { signalId: signals[0]?.id });
  const { actionSetEvents } = await get<{ actionSetEvents: { id: number }[] }>(`${path}/events`);
  const { incidents } = await get<{ incidents: { id: number }[] }>('incidents?limit=1');
  return { set: String(set.id), id: String(actionSetEvents[0]?.id), incident: String(incidents[0]?.id) };
}

/** Turns on review in `staging` and creates a change request. */
async function askForChange({ origin }: RunningServer, token: string, post: Post): Promise<{ id: number }> {
  const staging = `projects/${named.project}/environments/staging/change-requests`;
  const review = { changeRequestsEnabled: true, requiredApprovals: 1 };
  await callApi(origin, token, 'PUT', `/api/admin/${staging}/config`, review);
  return post(staging, { action: 'updateEnabled', feature: named.flag, payload: { enabled: true } });
}

/** Adds a user, logs in and returns the session cookie. */
async function logIn({ origin }: RunningServer, post: Post): Promise<string> {
  const person = { username: 'reader', password: 'A-long-Pa55word-of-a-reader' };
  await post('user-admin', { ...person, rootRole: 1, sendEmail: false });
  const login = await fetch(`${origin}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  if (!login.ok) throw new Error(`The login was answered ${login.status}: ${await login.text()}`);
  const cookies = login.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}
