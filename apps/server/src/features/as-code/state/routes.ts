import type { ParsedState, stateRoutes } from '@yardarm/contract';
import { type Outbound, requireReachable } from '#features/automation/actions/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { pagesYielding } from '#kernel/event-loop.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import type { StateChange } from './changes.ts';
import { applyState, planRequest } from './commands.ts';
import type { StateLimits } from './options.ts';
import { describeMissing } from './permissions.ts';
import type { RequestedPlan } from './reviewed-changes.ts';
import { stateText } from './state-text.ts';

/** Handlers of state as code. `onReview` is called with the id of each change request that was sent to review. */
export function stateHandlers(
  { db, write }: Database,
  clock: Clock,
  limits: StateLimits,
  outbound: Outbound,
  onReview: (id: number) => void,
): Handlers<typeof stateRoutes> {
  return {
    'GET /api/admin/state': async ({ query, caller }) => ({
      body: await stateText(db, caller, query.projects?.split(',')),
    }),
    'POST /api/admin/state/plan': async ({ body, caller }) => {
      await requireReachableUrls(body.state, caller, outbound);
      const planned = await planRequest(db, limits, body, caller, clock.now());
      const { plan, divided, fingerprint, errors, missing, switchedOff, agreedOff } = planned;
      return {
        body: jsonList(
          {
            fingerprint,
            errors,
            permissions: missing.map((permission) => ({
              message: describeMissing(permission),
              names: permission.names,
            })),
            switchedOff: switchedOff.map((off) => ({ ...off, at: isoTime(off.at) })),
            agreedOff: agreedOff.length,
            ...(body.changeRequests ? { changeRequests: divided.requested.map(presentRequested) } : {}),
            ...(body.installation === undefined ? {} : { skipped: plan.skipped }),
          },
          'changes',
          changesAsText(plan.changes),
        ),
      };
    },
    'POST /api/admin/state/apply': async ({ body, author, caller }) => {
      await requireReachableUrls(body.state, caller, outbound);
      const { plan, sent } = await write(author, (tx) => applyState(tx, limits, body, caller));
      for (const { id, isNew } of sent) if (isNew) onReview(id);
      const apiTokens = plan.createdTokens.map(({ token: { name, type, environment, projects }, secret }) => ({
        tokenName: name,
        type,
        environment,
        projects,
        secret,
      }));
      const additions = {
        ...(body.installation === undefined ? {} : { skipped: plan.skipped, apiTokens }),
        ...(body.changeRequests ? { changeRequests: sent } : {}),
      };
      return { body: jsonList(additions, 'changes', changesAsText(plan.changes)) };
    },
  };
}

/**
 * Rejects with 400 when an action would call a private address. Runs before the transaction, because it waits for DNS,
 * and only for administrators: other callers are refused later and must not trigger DNS lookups.
 */
async function requireReachableUrls(state: ParsedState, caller: Identity, outbound: Outbound): Promise<void> {
  if (!caller.can('ADMIN')) return;
  for (const [project, { actions = {} }] of Object.entries(state.projects ?? {}))
    for (const [name, { do: steps = [] }] of Object.entries(actions)) {
      const path = `projects.${project}.actions.${name}.do`;
      const calls = steps.map(({ action, parameters }) => ({ action, executionParams: { project, ...parameters } }));
      await requireReachable(outbound, calls, (index, parameter) => `${path}.${index}.parameters.${parameter}`);
    }
}

function presentRequested(requested: RequestedPlan) {
  const { project, environment, segments, flags, releasePlans, dependencies, archived } = requested;
  const names = [...flags, ...dependencies].map(({ after }) => after.feature.name);
  const ofPlans = releasePlans.map(({ place }) => place.featureName);
  return {
    project,
    environment,
    features: [...new Set([...names, ...ofPlans, ...archived])].toSorted(),
    segments: segments.map(({ change }) => change.name).toSorted(),
  };
}

/** Returns pages of changes as JSON text, as they are answered. */
export function changesAsText(changes: readonly StateChange[]): AsyncGenerator<string[]> {
  return pagesYielding(changes, (change) => JSON.stringify(asAnswered(change)));
}

function asAnswered(change: StateChange) {
  if (change.kind !== 'flag') return change;
  const { ofPlan, ...answered } = change;
  return answered;
}
