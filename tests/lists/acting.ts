import { givenCaller } from '../../apps/server/testing/access.ts';
import { type GivenSet, givenSet, runsOf, signal } from '../../apps/server/testing/actions.ts';
import type { FlagParams } from '../../apps/server/testing/flags.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import type { TestEndpoint } from '../../apps/server/testing/signals.ts';

/** A set of actions with a signal that has set it off, and the run. */
interface ActedOnce extends GivenSet {
  readonly signalId: number;
  readonly runId: number;
}

/** A set of actions that signals of the endpoint set off, and have once. */
export async function givenActing(server: TestServer, endpoint: TestEndpoint, flag: FlagParams): Promise<ActedOnce> {
  const { id: actorId } = await givenCaller(server, 'Editor');
  const place = { projectId: flag.projectId, endpoint, actorId, flag: { ...flag, environment: 'development' } };
  const set = await givenSet(server, {}, place);
  const signalId = await signal(server, set);
  const [run] = await runsOf(server, set);
  return { ...set, signalId, runId: run.id };
}

/** Returns the path parameters that name it. */
export function actingParams({ id, runId }: ActedOnce) {
  return { actionSetId: String(id), runId: String(runId) };
}

/** One more set of its project, one more signal and one more run; and one more of the signal that was the first. */
export async function growActing(server: TestServer, set: ActedOnce): Promise<void> {
  await givenSet(server, { enabled: false }, set);
  await signal(server, set);
  const { projectId, id: actionSetId, signalId } = set;
  const route = 'POST /api/admin/projects/:projectId/actions/:actionSetId/replay';
  const reply = await server.admin.call(route, { params: { projectId, actionSetId }, body: { signalId } });
  if (reply.status !== 200) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
}
