import type { SegmentUseInRequest } from '#features/flags/segments/index.ts';
import { listStrategies } from '#features/flags/strategies/index.ts';
import type { Db } from '#storage/tx.ts';
import { requestedSegments } from './change.ts';
import { sentStates, titleOf } from './request.ts';
import { loadRequests } from './store.ts';

/** Returns the strategies of open change requests, without drafts, that will use a segment, newest request first. */
export async function strategiesRequesting(db: Db, segment: number): Promise<SegmentUseInRequest[]> {
  const rows = await db
    .selectFrom('change_request_changes as c')
    .innerJoin('change_requests as r', 'r.id', 'c.request_id')
    .where('r.state', 'in', sentStates)
    .where('c.action', 'in', ['addStrategy', 'updateStrategy'])
    .select('r.id')
    .distinct()
    .execute();
  const requests = await loadRequests(
    db,
    rows.map(({ id }) => id),
  );
  const uses = requests.flatMap((request) =>
    request.changes.flatMap(({ operation }) =>
      (operation.action === 'addStrategy' || operation.action === 'updateStrategy') &&
      requestedSegments(operation).includes(segment)
        ? [{ request, operation }]
        : [],
    ),
  );
  if (uses.length === 0) return [];
  const strategies = await listStrategies(db, [...new Set(uses.map(({ operation }) => operation.feature))]);
  return uses.map(({ request, operation: { feature, payload } }) => {
    const strategyId = 'id' in payload ? payload.id : undefined;
    const current = strategies.find((strategy) => strategy.id === strategyId);
    return {
      ...(strategyId === undefined ? {} : { id: strategyId }),
      featureName: feature,
      projectId: request.project,
      environment: request.environment,
      strategyName: payload.name ?? current?.name ?? 'default',
      changeRequest: { id: request.id, title: titleOf(request) },
    };
  });
}
