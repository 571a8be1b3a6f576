import { givenCaller } from './access.ts';
import { givenSet } from './actions.ts';
import { type FlagEnvironmentParams, freshName, givenEnabled } from './flags.ts';
import type { TestServer } from './server.ts';
import { givenEndpoint } from './signals.ts';
import { givenSdk, givenToken } from './tokens.ts';

const plans = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans' as const;

/** Returns a milestone that serves the flag to a percentage of users. */
export function rolloutTo(rollout: number, intervalMinutes: number | null = null) {
  return {
    name: `${rollout} %`,
    transitionCondition: intervalMinutes === null ? null : { intervalMinutes },
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'userId' } }],
  };
}

/** Three milestones: 10 and 50 % for an hour each, then everyone. */
export const inThreeSteps = [rolloutTo(10, 60), rolloutTo(50, 60), rolloutTo(100)];

export interface GivenPlan {
  readonly params: FlagEnvironmentParams & { readonly planId: string };
  readonly milestoneIds: readonly string[];
  readonly strategyIds: readonly string[];
}

/** Creates a template of three steps. */
export async function givenTemplate(server: TestServer, more: object = {}) {
  const body = { name: freshName('template'), milestones: inThreeSteps, ...more };
  const reply = await server.admin.call('POST /api/admin/release-plan-templates', { body });
  if (reply.status !== 200) throw new Error(`creating a template answered ${reply.status}: ${reply.text}`);
  return reply.json;
}

/** Adds a release plan to `flag`, by default to a new flag that is on in development. */
export async function givenPlan(
  server: TestServer,
  milestones: readonly object[] = inThreeSteps,
  flag?: FlagEnvironmentParams,
  more: object = {},
): Promise<GivenPlan> {
  const place = flag ?? (await givenEnabled(server));
  const body = { name: 'Release gradually', milestones, strategies: 'remove', ...patience, ...more };
  const reply = await server.admin.call(`POST ${plans}`, { params: place, body });
  if (reply.status !== 200) throw new Error(`adding a plan answered ${reply.status}: ${reply.text}`);
  const { id, milestones: added } = reply.json;
  return {
    params: { ...place, planId: id },
    milestoneIds: added.map((milestone: { id: string }) => milestone.id),
    strategyIds: added.map(({ strategies }: { strategies: { id: string }[] }) => strategies[0]?.id),
  };
}

/** Adds a plan whose next milestone cannot start after a minute, because its segment was deleted. */
export async function givenStuck(server: TestServer, project = 'default'): Promise<GivenPlan> {
  const body = { name: freshName('segment'), constraints: [] };
  const { json } = await server.admin.call('POST /api/admin/segments', { body });
  const next = { name: 'Next', strategies: [{ name: 'default', segments: [json.id] }] };
  const plan = await givenPlan(server, [rolloutTo(10, 1), next], await givenEnabled(server, project));
  await server.admin.call('DELETE /api/admin/segments/:id', { params: { id: json.id } });
  return plan;
}

/** Holds end at once with their cause, and stay at their milestone, unless a test says otherwise. */
const patience = { stepDownMinutes: null, restMinutes: 0 };

/** Lets minutes pass and runs the jobs that are due then. */
export async function passMinutes(server: TestServer, minutes: number): Promise<void> {
  server.clock.advance(minutes * 60_000);
  await server.app.service.jobs.runDue();
}

/** Returns the plan of a flag, or undefined. */
export async function planOf(server: TestServer, params: FlagEnvironmentParams) {
  return (await server.admin.call(`GET ${plans}`, { params })).json[0];
}

/** Returns the percentages that the admin API shows for a flag; undefined while the flag is off or held. */
export async function servedPercentages(
  server: TestServer,
  { projectId, featureName, environment }: FlagEnvironmentParams,
) {
  const params = { projectId, featureName };
  const { json } = await server.admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params });
  const state = json.environments.find(({ name }: { name: string }) => name === environment);
  const percentages = state.strategies.map(({ parameters }: { parameters: { rollout: string } }) => parameters.rollout);
  return state.enabled && state.lease === null ? percentages : undefined;
}

/** Returns the percentages that SDKs receive for a flag, held or not; undefined while it is off for them. */
export async function sentPercentages(server: TestServer, { featureName, environment }: FlagEnvironmentParams) {
  const { secret } = await givenToken(server, { environment });
  const { features } = (await server.client(secret).call('GET /api/client/features')).json;
  const flag = features.find((feature: { name: string }) => feature.name === featureName);
  return flag.enabled
    ? flag.strategies.map(({ parameters }: { parameters: { rollout: string } }) => parameters.rollout)
    : undefined;
}

export const approving = `POST ${plans}/:planId/milestones/:milestoneId/approve` as const;

/** Approves a milestone of a plan, the first unless `index` is given, as the administrator or another person. */
export function approve(
  server: TestServer,
  { params, milestoneIds }: Pick<GivenPlan, 'params' | 'milestoneIds'>,
  index = 0,
  person?: { readonly headers: Readonly<Record<string, string>> },
) {
  const call = { params: { ...params, milestoneId: milestoneIds[index] ?? 'none' } };
  return person === undefined
    ? server.admin.call(approving, call)
    : server.anonymous.call(approving, { ...call, headers: person.headers });
}

/** Reports evaluations of a flag as an SDK does, and lets them be stored. */
export async function evaluate(
  server: TestServer,
  { featureName, environment }: FlagEnvironmentParams,
  counts: { readonly yes: number; readonly no: number },
): Promise<void> {
  const sdk = await givenSdk(server, { environment });
  const now = new Date(server.clock.now()).toISOString();
  const bucket = { start: now, stop: now, toggles: { [featureName]: counts } };
  const reply = await sdk.call('POST /api/client/metrics', { body: { appName: 'shop', instanceId: 'i', bucket } });
  if (reply.status !== 202) throw new Error(`reporting metrics answered ${reply.status}: ${reply.text}`);
  await server.app.service.usage.flush();
}

/** Creates a set whose action approves the milestone of a flag at each signal. */
export async function givenApprovingSet(
  server: TestServer,
  flag: FlagEnvironmentParams,
  params: object = {},
  more: object = {},
) {
  const { projectId, featureName, environment } = flag;
  const place = {
    projectId,
    flag,
    endpoint: await givenEndpoint(server),
    actorId: (await givenCaller(server, 'Editor')).id,
  };
  const executionParams = { project: projectId, featureName, environment, ...params };
  return givenSet(
    server,
    { actions: [{ action: 'APPROVE_MILESTONE', sortOrder: 1, executionParams }], ...more },
    place,
  );
}
