import type { Permission, segmentRoutes } from '@yardarm/contract';
import { requireOwningProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requirePermission } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import * as commands from './commands.ts';
import { presentOne, presentSegments } from './present-with-uses.ts';
import { segmentsOfStrategy, strategiesUsing, type UsingStrategy } from './queries.ts';
import type { Segment, SegmentLimits } from './segment.ts';
import { listSegments } from './store.ts';

/** A strategy that will use a segment when a change request is applied. A new strategy has no id yet. */
export interface SegmentUseInRequest extends Omit<UsingStrategy, 'id'> {
  readonly id?: string;
  readonly changeRequest: { readonly id: number; readonly title: string };
}

/** Returns the strategies of open change requests that will use a segment. */
export type StrategiesRequesting = (db: Db, segment: number) => Promise<readonly SegmentUseInRequest[]>;

export function segmentHandlers(
  { db, write }: Database,
  limits: SegmentLimits,
  strategiesRequesting: StrategiesRequesting,
): Handlers<typeof segmentRoutes> {
  return {
    'GET /api/admin/segments': async ({ caller }) => ({
      body: { segments: await presentSegments(db, visible(listSegments(db), caller), caller) },
    }),
    'POST /api/admin/segments': async ({ body, author, caller }) => {
      await requireOwningProject(db, caller, body.project ?? null, segmentChangeCheck(caller, 'CREATE_SEGMENT'));
      const segment = await write(author, (tx) => commands.createSegment(tx, limits, body));
      return {
        body: await presentOne(db, segment, caller),
        headers: { location: `segments/${segment.id}` },
      };
    },
    'POST /api/admin/segments/validate': async ({ body, caller }) => commands.requireFreeName(db, caller, body.name),
    'GET /api/admin/segments/:id': async ({ params, caller }) => ({
      body: await presentOne(db, await commands.requireVisibleSegment(db, params.id, caller), caller),
    }),
    'PUT /api/admin/segments/:id': async ({ params, body, author, caller }) => {
      const { project } = await commands.requireVisibleSegment(db, params.id, caller);
      const requireMayChange = segmentChangeCheck(caller, 'UPDATE_SEGMENT');
      requireMayChange(project);
      if (body.project !== undefined) await requireOwningProject(db, caller, body.project, requireMayChange);
      await write(author, (tx) => commands.updateSegment(tx, limits, params.id, body, requireMayChange));
    },
    'DELETE /api/admin/segments/:id': async ({ params, author, caller }) => {
      await commands.requireVisibleSegment(db, params.id, caller);
      await write(author, (tx) => commands.deleteSegment(tx, params.id, segmentChangeCheck(caller, 'DELETE_SEGMENT')));
    },
    'GET /api/admin/segments/:id/strategies': async ({ params, caller }) => {
      await commands.requireVisibleSegment(db, params.id, caller);
      const isVisible = ({ projectId }: { readonly projectId: string }) => !caller.hidden.has(projectId);
      const [strategies, requested] = await Promise.all([
        strategiesUsing(db, params.id),
        strategiesRequesting(db, params.id),
      ]);
      return {
        body: { strategies: strategies.filter(isVisible), changeRequestStrategies: requested.filter(isVisible) },
      };
    },
    'GET /api/admin/segments/strategies/:strategyId': async ({ params, caller }) => {
      const segments = visible(segmentsOfStrategy(db, params.strategyId, caller), caller);
      return { body: { segments: await presentSegments(db, segments, caller) } };
    },
  };
}

async function visible(segments: Promise<readonly Segment[]>, caller: Identity): Promise<Segment[]> {
  return (await segments).filter((segment) => commands.isVisible(segment, caller));
}

/**
 * Returns a check that throws a 403 unless the caller may change segments of a project, or shared segments for null.
 * UPDATE_PROJECT_SEGMENT is enough for segments of a project.
 */
export function segmentChangeCheck(caller: Identity, permission: Permission): commands.RequireMayChange {
  return (project) =>
    project === null
      ? requirePermission(caller, permission, {})
      : requirePermission(caller, [permission, 'UPDATE_PROJECT_SEGMENT'], { project });
}
