import type { actionRoutes } from '@yardarm/contract';
import { checkFilters } from '#features/platform/payload-filters/index.ts';
import {
  findSignal,
  maxElementsOf,
  requireEndpoint,
  signalValue,
  silencePayload,
} from '#features/signals/signals/index.ts';
import type { Handlers } from '#http/handler.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';
import { pathProblem } from '#kernel/payload-path.ts';
import type { Database } from '#storage/database.ts';
import { presentRanAction, type RunContext } from '../runs/index.ts';
import { type ActionSet, draftSet, type Outbound, requireReachable, type SetLimits } from '../sets/index.ts';
import { backtest } from './backtest.ts';
import { dryRunSet } from './dry-run.ts';
import { previewMatches } from './match-preview.ts';

const dayMs = 24 * 60 * 60 * 1000;

type DryRunRoute =
  | 'POST /api/admin/signal-endpoints/:id/match-preview'
  | 'POST /api/admin/projects/:projectId/actions/rehearse'
  | 'POST /api/admin/projects/:projectId/actions/backtest';

export function dryRunHandlers(
  database: Database,
  clock: Clock,
  limits: SetLimits,
  context: RunContext,
  outbound: Outbound,
): Handlers<Pick<typeof actionRoutes, DryRunRoute>> {
  const { db, write } = database;
  return {
    'POST /api/admin/signal-endpoints/:id/match-preview': async ({ params, body }) => {
      const { payload: filters, forEach = null } = body;
      checkFilters(filters, limits, 'payload');
      const problem = forEach === null ? undefined : pathProblem(forEach);
      if (problem !== undefined) throw badField('forEach', problem);
      const { id: endpointId } = await requireEndpoint(db, params.id);
      const since = clock.now() - dayMs;
      const { examples, ...counts } = await previewMatches(db, { endpointId, filters, forEach }, since);
      const presented = examples.map(({ createdAt, ...match }) => ({ ...match, createdAt: isoTime(createdAt) }));
      return { body: { since: isoTime(since), ...counts, examples: presented } };
    },
    'POST /api/admin/projects/:projectId/actions/rehearse': async ({ params, body, author }) => {
      const by = author;
      await requireReachable(outbound, body.set.actions);
      const set = await draftSet(db, limits, params.projectId, body.set, { now: clock.now(), by });
      const payload =
        body.signalId === undefined
          ? (body.payload ?? (await samplePayload(set, clock.now())))
          : await storedPayload(body.signalId);
      const { views, halted } = await dryRunSet(write, by, context, set, {
        payload,
        maxElements: maxElementsOf(await requireEndpoint(db, set.endpointId)),
      });
      const presented = views.map(({ element, matches, releases, filterResults, outcome }) => ({
        element,
        matches,
        releases,
        filters: filterResults.map((result) => ({ ...result })),
        state: outcome?.state ?? null,
        reason: outcome?.reason ?? null,
        actions: (outcome?.actions ?? []).map((action) => presentRanAction(action)),
      }));
      return { body: { views: presented, halted } };
    },
    'POST /api/admin/projects/:projectId/actions/backtest': async ({ params, body, author }) => {
      const by = author;
      const now = clock.now();
      await requireReachable(outbound, body.set.actions);
      const set = await draftSet(db, limits, params.projectId, body.set, { now, by });
      const { matches, ...counts } = await backtest(db, context, set, {
        since: now - body.days * dayMs,
        maxElements: maxElementsOf(await requireEndpoint(db, set.endpointId)),
      });
      const presented = matches.map(({ createdAt, actions, ...match }) => ({
        ...match,
        createdAt: isoTime(createdAt),
        actions: actions.map((action) => ({ ...action, executionParams: { ...action.executionParams } })),
      }));
      return { body: { ...counts, matches: presented } };
    },
  };

  /**
   * Returns the payload for a dry run whose request has none: that of a silence which begins now if silence triggers
   * the set, otherwise an empty one.
   */
  async function samplePayload({ trigger, endpointId }: ActionSet, now: number): Promise<unknown> {
    if (trigger === 'signal') return {};
    const { name, expectedMinutes, expectedFilters } = await requireEndpoint(db, endpointId);
    const expectation = { endpointId, name, expectedMinutes: expectedMinutes ?? 0, expectedFilters };
    return silencePayload({ ...expectation, since: now, lastSignalAt: now }, 'began', now);
  }

  async function storedPayload(signalId: number): Promise<unknown> {
    const signal = await findSignal(db, signalId);
    if (signal === undefined) throw badField('signalId', 'must be the id of a stored signal');
    return signalValue(signal);
  }
}
