import { givenCaller } from '../../apps/server/testing/access.ts';
import { type GivenSet, givenSet, runsOf, signal } from '../../apps/server/testing/actions.ts';
import type { FlagParams } from '../../apps/server/testing/flags.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import type { TestEndpoint } from '../../apps/server/testing/signals.ts';

/** An action set, a signal, and the run that the signal caused. */
interface SetWithRun extends GivenSet {
  readonly signalId: number;
  readonly runId: number;
}

/** Creates an action set for signals of the endpoint, and a signal that makes the set run. */
export async function givenSetWithRun(
  server: TestServer,
  endpoint: TestEndpoint,
  flag: FlagParams,
): Promise<SetWithRun> {
  const { id: actorId } = await givenCaller(server, 'Editor');
  const place = { projectId: flag.projectId, endpoint, actorId, flag: { ...flag, environment: 'development' } };
  const set = await givenSet(server, {}, place);
  const signalId = await signal(server, set);
  const [run] = await runsOf(server, set);
  return { ...set, signalId, runId: run.id };
}

/** Returns the path parameters of the set and its run. */
export function runParams({ id, runId }: SetWithRun) {
  return { actionSetId: String(id), runId: String(runId) };
}

/** Adds an action set to the project, a run for a new signal, and a second run for the first signal. */
export async function addRuns(server: TestServer, set: SetWithRun): Promise<void> {
  await givenSet(server, { enabled: false }, set);
  await signal(server, set);
  const { projectId, id: actionSetId, signalId } = set;
  const route = 'POST /api/admin/projects/:projectId/actions/:actionSetId/replay';
  const reply = await server.admin.call(route, { params: { projectId, actionSetId }, body: { signalId } });
  if (reply.status !== 200) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
}
