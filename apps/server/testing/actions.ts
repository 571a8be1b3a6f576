import { givenCaller } from './access.ts';
import { author } from './database.ts';
import { type FlagEnvironmentParams, freshName, givenFlagIn, givenProject } from './flags.ts';
import type { TestServer } from './server.ts';
import { givenEndpoint, send, type TestEndpoint } from './signals.ts';

/** The entities that an action set refers to. */
export interface ActionPlace {
  readonly projectId: string;
  readonly endpoint: TestEndpoint;
  /** A service account that may do everything in open projects. */
  readonly actorId: number;
  /** A flag that is off in development. */
  readonly flag: FlagEnvironmentParams;
}

/** Creates a project with an endpoint, a service account that is an Editor, and a flag that is off in development. */
export async function givenActionPlace(server: TestServer): Promise<ActionPlace> {
  const projectId = await givenProject(server);
  const endpoint = await givenEndpoint(server);
  const { id: actorId } = await givenCaller(server, 'Editor');
  return { projectId, endpoint, actorId, flag: await givenFlagIn(server, 'development', projectId) };
}

/** Lets the endpoint of a place expect a signal every five minutes. */
export async function expecting(server: TestServer, place: ActionPlace): Promise<ActionPlace> {
  const { id, name } = place.endpoint;
  const body = { name, expectedMinutes: 5 };
  const reply = await server.admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  if (reply.status !== 200) throw new Error(`changing the endpoint was answered ${reply.status}: ${reply.text}`);
  return place;
}

/** Returns the body of a set that turns the flag on at each signal. */
export function setBody({ projectId, endpoint, actorId, flag }: ActionPlace, more: object = {}) {
  return {
    name: freshName('set'),
    actorId,
    match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: {} },
    actions: [turning('ON', projectId, flag.featureName)],
    ...more,
  };
}

/** Returns an action that turns a flag on or off in development. */
export function turning(how: 'ON' | 'OFF', project: string, featureName: string, sortOrder = 1) {
  const executionParams = { project, environment: 'development', featureName };
  return { action: `TOGGLE_FEATURE_${how}`, sortOrder, executionParams };
}

export interface GivenSet extends ActionPlace {
  readonly id: number;
}

/** Returns an action that calls a URL. */
export function calling({ projectId }: ActionPlace, url: string, more: object = {}) {
  return { action: 'CALL_URL', sortOrder: 1, executionParams: { project: projectId, method: 'POST', url, ...more } };
}

/** Creates a set, enabled unless `more` overrides it. */
export async function givenSet(server: TestServer, more: object = {}, at?: ActionPlace): Promise<GivenSet> {
  const place = at ?? (await givenActionPlace(server));
  const { projectId } = place;
  const body = setBody(place, more);
  const reply = await server.admin.call('POST /api/admin/projects/:projectId/actions', { params: { projectId }, body });
  if (reply.status !== 201) throw new Error(`creating the action set was answered ${reply.status}: ${reply.text}`);
  return { ...place, id: reply.json.id };
}

/**
 * Sends a signal, waits until its actions and calls have ended, and returns its id. It does not start a search for
 * pending signals, so that the test fails when the server is not woken up.
 */
export async function signal(server: TestServer, { endpoint }: Pick<ActionPlace, 'endpoint'>, payload: unknown = {}) {
  const reply = await send(server, endpoint, JSON.stringify(payload));
  if (reply.status !== 200) throw new Error(`sending the signal was answered ${reply.status}: ${reply.text}`);
  await server.app.service.actions.settled();
  await server.app.service.deliveries.settled();
  return reply.json.signals[0].id as number;
}

/** Returns the runs of a set, newest first. */
export async function runsOf(server: TestServer, { projectId, id }: Pick<GivenSet, 'projectId' | 'id'>) {
  const route = 'GET /api/admin/projects/:projectId/actions/:actionSetId/events';
  return (await server.admin.call(route, { params: { projectId, actionSetId: id } })).json.actionSetEvents;
}

/** Creates a set and has it run once, successfully. */
export async function givenRun(server: TestServer, more: object = {}, at?: ActionPlace) {
  const set = await givenSet(server, more, at);
  const signalId = await signal(server, set);
  const [run] = await runsOf(server, set);
  if (run?.state !== 'success') throw new Error(`the run did not succeed: its state is ${run?.state}`);
  return { set, signalId, params: { projectId: set.projectId, actionSetId: set.id, runId: run.id as number } };
}

/** Creates a flag that is configured on and that a run holds off in development. */
export async function givenRunHold(server: TestServer): Promise<FlagEnvironmentParams> {
  const place = await givenActionPlace(server);
  const { projectId: project, flag } = place;
  const { environment, featureName } = flag;
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  await server.admin.call(on, { params: flag });
  const executionParams = { project, environment, featureName, effect: 'off' };
  await givenRun(server, { actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }] }, place);
  return flag;
}

/** Creates a run whose call has failed and can be sent again. */
export async function givenFailedCall(server: TestServer, at?: ActionPlace) {
  const place = at ?? (await givenActionPlace(server));
  // The domain `.invalid` never has an address, so that no request leaves this machine.
  const set = await givenSet(server, { actions: [calling(place, 'https://nothing.invalid/hook')] }, place);
  await signal(server, set);
  const [{ id: runId }] = await runsOf(server, set);
  await server.app.database.writeQuietly('deliveries', author, async (tx) => {
    const calls = tx.db.selectFrom('action_calls').select('id').where('run_id', '=', runId);
    const dead = { state: 'dead', next_attempt_at: null, settled_at: tx.now };
    await tx.db.updateTable('deliveries').set(dead).where('call_id', 'in', calls).execute();
    await tx.db.updateTable('action_runs').set({ state: 'failed' }).where('id', '=', runId).execute();
  });
  return { set, params: { projectId: set.projectId, actionSetId: set.id, runId: runId as number } };
}

/** Returns whether a flag is on. */
export async function isOn(server: TestServer, params: FlagEnvironmentParams): Promise<boolean> {
  const route = 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment';
  return (await server.admin.call(route, { params })).json.enabled;
}
