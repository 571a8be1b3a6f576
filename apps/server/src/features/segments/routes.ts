import type { Permission, segmentRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { requirePermission } from '../../http/permission.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { Database } from '../../storage/database.ts';
import * as commands from './commands.ts';
import { segmentsOfStrategy, strategiesUsing } from './queries.ts';
import { presentOne, presentSegments } from './reading.ts';
import type { Segment, SegmentLimits } from './segment.ts';
import { listSegments } from './store.ts';

export function segmentHandlers({ db, write }: Database, limits: SegmentLimits): Handlers<typeof segmentRoutes> {
  return {
    'GET /api/admin/segments': async ({ caller }) => ({
      status: 200,
      body: { segments: await presentSegments(db, seen(listSegments(db), caller)) },
    }),
    'POST /api/admin/segments': async ({ body, caller, request }) => {
      mayChange(caller, 'CREATE_SEGMENT')(body.project ?? null);
      const segment = await write(authorOf(caller, request), (tx) => commands.createSegment(tx, limits, body));
      return { status: 201, body: await presentOne(db, segment), headers: { location: `segments/${segment.id}` } };
    },
    'POST /api/admin/segments/validate': async ({ body }) => {
      await commands.requireFreeName(db, body.name);
      return { status: 204 };
    },
    'GET /api/admin/segments/:id': async ({ params, caller }) => ({
      status: 200,
      body: await presentOne(db, await commands.requireSeenSegment(db, params.id, caller)),
    }),
    'PUT /api/admin/segments/:id': async ({ params, body, caller, request }) => {
      await commands.requireSeenSegment(db, params.id, caller);
      await write(authorOf(caller, request), (tx) =>
        commands.updateSegment(tx, limits, params.id, body, mayChange(caller, 'UPDATE_SEGMENT')),
      );
      return { status: 204 };
    },
    'DELETE /api/admin/segments/:id': async ({ params, caller, request }) => {
      await commands.requireSeenSegment(db, params.id, caller);
      await write(authorOf(caller, request), (tx) =>
        commands.deleteSegment(tx, params.id, mayChange(caller, 'DELETE_SEGMENT')),
      );
      return { status: 204 };
    },
    'GET /api/admin/segments/:id/strategies': async ({ params, caller }) => {
      await commands.requireSeenSegment(db, params.id, caller);
      const strategies = await strategiesUsing(db, params.id);
      return { status: 200, body: { strategies: strategies.filter((one) => !caller.hidden.has(one.projectId)) } };
    },
    'GET /api/admin/segments/strategies/:strategyId': async ({ params, caller }) => ({
      status: 200,
      body: { segments: await presentSegments(db, seen(segmentsOfStrategy(db, params.strategyId), caller)) },
    }),
  };
}

async function seen(segments: Promise<readonly Segment[]>, caller: Identity): Promise<Segment[]> {
  return (await segments).filter((segment) => commands.isSeen(segment, caller));
}

/** A segment of a project may also be changed by who may change those of the project. */
function mayChange(caller: Identity, permission: Permission): commands.MayChange {
  return (project) =>
    project === null
      ? requirePermission(caller, permission, {})
      : requirePermission(caller, [permission, 'UPDATE_PROJECT_SEGMENT'], { project });
}
