import { givenCaller } from '../../apps/server/testing/access.ts';
import { type GivenSet, givenSet, signal } from '../../apps/server/testing/actions.ts';
import type { FlagParams } from '../../apps/server/testing/flags.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import type { TestEndpoint } from '../../apps/server/testing/signals.ts';

/** A set of actions that signals of the endpoint set off. */
export async function givenActing(server: TestServer, endpoint: TestEndpoint, flag: FlagParams): Promise<GivenSet> {
  const { id: actorId } = await givenCaller(server, 'Editor');
  const place = { projectId: flag.projectId, endpoint, actorId, flag: { ...flag, environment: 'development' } };
  return givenSet(server, {}, place);
}

/** One more set of its project, one more signal and one more run. */
export async function growActing(server: TestServer, set: GivenSet): Promise<void> {
  await givenSet(server, { enabled: false }, set);
  await signal(server, set);
}
