import { nowLimits, type nowRoutes } from '@yardarm/contract';
import {
  type BlockedSet,
  droppedBy,
  endedText,
  listBlockedSets,
  listUndecided,
  newestRunOfSets,
  nothingToReleaseText,
  outsideHours,
  readableProjects,
  repeatedText,
  type UndecidedRun,
} from '#features/automation/actions/index.ts';
import { type AlertWithoutEffect, alertsWithoutEffect } from '#features/automation/firing-alerts/index.ts';
import { overriddenText } from '#features/flags/automation-stops/index.ts';
import type { ReviewPolicy } from '#features/flags/change-control/index.ts';
import { readFreeze } from '#features/flags/freeze/index.ts';
import { holdsOutside, presentHeld } from '#features/flags/holds/index.ts';
import { listOverrides, presentOverride } from '#features/flags/overrides/index.ts';
import type { LoopState } from '#features/platform/loop-probe/index.ts';
import { isInMaintenance } from '#features/platform/maintenance/index.ts';
import { presentFilters } from '#features/platform/payload-filters/index.ts';
import { type BlindSafeguard, safeguardEventData, safeguardsWithoutData } from '#features/releases/safeguards/index.ts';
import {
  actionableRequests,
  type ChangeRequest,
  scheduledBefore,
  titleOf,
} from '#features/review/change-requests/index.ts';
import { type SilentEndpoint, silentEndpoints } from '#features/signals/signals/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { type Clock, isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { changesSince, type EndpointRefusal, type Moment, refusalsSince, signalsSince } from './queries.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** The number of rows that are shown, besides {@link nowLimits}. */
const maxHolds = 200;
const maxMoments = 50;
const maxAlerts = 25;
/** The reasons for which runs are skipped in normal operation. Such runs are not shown as trouble. */
const ordinary = [nothingToReleaseText, outsideHours, droppedBy, overriddenText, endedText, repeatedText];

/**
 * Returns the handler that shows what automation does now, and what waits for the caller. The number of statements does
 * not grow with the data. `loop` returns the state of the loop probe, undefined when there is none.
 */
export function nowHandlers(
  database: Pick<Database, 'db' | 'engine'>,
  clock: Clock,
  loop: () => LoopState | undefined,
  review: ReviewPolicy,
): Handlers<typeof nowRoutes> {
  const { db } = database;
  return {
    'GET /api/admin/now': async ({ caller }) => {
      const now = clock.now();
      const filter = { caller: caller.actor, hidden: caller.hidden };
      const [
        { holds, total },
        overrides,
        automation,
        maintenance,
        undecided,
        runs,
        refusals,
        silent,
        blocked,
        withoutData,
        alerts,
        waiting,
        scheduled,
        lastHour,
      ] = await Promise.all([
        holdsOutside(db, caller.hidden, { offset: 0, limit: maxHolds }),
        listOverrides(db, { now, hidden: caller.hidden, limit: maxHolds }),
        readFreeze(db),
        isInMaintenance(db),
        caller.canSomewhere('READ_ACTIONS') ? undecidedRuns(db, caller) : null,
        caller.canSomewhere('READ_ACTIONS') ? troubledRuns(db, caller, now - dayMs) : null,
        caller.can('READ_SIGNALS') ? refusalsSince(db, now - dayMs, nowLimits.refusals) : null,
        silentEndpoints(db),
        caller.canSomewhere('READ_ACTIONS') ? blockedSets(db, caller) : null,
        safeguardsWithoutData(db, caller.hidden, nowLimits.safeguardsWithoutData),
        caller.can('READ_SIGNALS') ? alertsWithoutEffect(db, await readableProjects(db, caller), now, maxAlerts) : null,
        actionableRequests(db, caller, filter, review),
        scheduledBefore(db, caller, now + dayMs),
        momentsSince(database, caller, now - hourMs),
      ]);
      return {
        body: {
          automation,
          maintenance,
          loop: presentLoop(loop()),
          holds: holds.map((hold) => presentHeld(hold, caller)),
          holdsTotal: total,
          overrides: overrides.map(presentOverride),
          undecided,
          runs,
          refusals: refusals?.map(presentRefusal) ?? null,
          silent: silent.map(presentSilent),
          blocked: blocked?.map(presentBlocked) ?? null,
          safeguardsWithoutData: withoutData.map(presentBlind),
          alertsWithoutEffect: alerts?.alerts.map(presentAlert) ?? null,
          alertsWithoutEffectTotal: alerts?.total ?? null,
          waitingForMe: waiting.slice(0, nowLimits.waitingForMe).map(presentRequest),
          scheduled: scheduled.slice(0, nowLimits.scheduled).map(presentRequest),
          lastHour: lastHour.map(presentMoment),
        },
      };
    },
  };
}

function presentLoop(state: LoopState | undefined) {
  if (state === undefined) return null;
  const { passedAt, tookMs, stoppedAt, halted } = state;
  return { passedAt: isoTimeOrNull(passedAt), tookMs, stoppedAt, halted };
}

async function undecidedRuns(db: Db, caller: Identity) {
  const runs = await listUndecided(db, { projects: await readableProjects(db, caller), limit: nowLimits.undecided });
  const isTitleShown = caller.can('READ_SIGNALS');
  return runs.map((run) => presentUndecided(isTitleShown ? run : { ...run, title: null }));
}

function presentUndecided({ run, holds, title, since }: UndecidedRun) {
  const { id: runId, project, actionSetId, set, reason, createdAt, decideBy } = run;
  return {
    ...{ runId, project, actionSetId, name: set.name, reason, title, since },
    holds: holds.map((hold) => ({ ...hold })),
    createdAt: isoTime(createdAt),
    decideBy: isoTime(decideBy ?? createdAt),
  };
}

/** Returns the newest run since a time of each set with waiting, failed or unexpectedly skipped runs, newest first. */
async function troubledRuns(db: Db, caller: Identity, since: number) {
  const projects = await readableProjects(db, caller);
  const of = async (state: 'waiting' | 'failed' | 'skipped') => {
    const filter = { projects, since, limit: nowLimits.runs, reasonsNot: ordinary, decided: true };
    return (await newestRunOfSets(db, { ...filter, state })).map((run) => ({ ...run, state }));
  };
  const runs = await Promise.all([of('waiting'), of('failed'), of('skipped')]);
  return runs
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .map(({ id, project, actionSetId, name, state, reason, signalId, createdAt, count }) => ({
      ...{ id, project, actionSetId, name, state, reason, signalId, count },
      createdAt: isoTime(createdAt),
    }));
}

async function blockedSets(db: Db, caller: Identity) {
  return listBlockedSets(db, { projects: await readableProjects(db, caller), limit: nowLimits.blocked });
}

function presentBlocked({ blockedSince, ...set }: BlockedSet) {
  return { ...set, blockedSince: isoTime(blockedSince) };
}

function presentBlind(safeguard: BlindSafeguard) {
  const { project, featureName, environment, planId, reason, noDataSince } = safeguard;
  const { impactMetric, triggerCondition } = safeguardEventData(safeguard, project);
  const since = isoTime(noDataSince);
  return { project, featureName, environment, planId, impactMetric, triggerCondition, reason, since };
}

function presentSilent({ id: signalEndpointId, silentSince, expectedFilters, ...endpoint }: SilentEndpoint) {
  return {
    ...endpoint,
    expectedFilters: presentFilters(expectedFilters),
    signalEndpointId,
    silentSince: isoTime(silentSince),
  };
}

async function momentsSince(
  database: Pick<Database, 'db' | 'engine'>,
  { hidden, can }: Identity,
  since: number,
): Promise<Moment[]> {
  const [changes, signals] = await Promise.all([
    changesSince(database.db, { since, hidden, limit: maxMoments }),
    signalsSince(database, { since, withTitle: can('READ_SIGNALS'), limit: maxMoments }),
  ]);
  return [...changes, ...signals].toSorted((a, b) => b.at - a.at).slice(0, maxMoments);
}

function presentMoment({ at, ...moment }: Moment) {
  return { ...moment, at: isoTime(at) };
}

function presentRefusal({ lastAt, ...refusal }: EndpointRefusal) {
  return { ...refusal, lastAt: isoTime(lastAt) };
}

function presentAlert({ since, lastAt, byPerson: _byPerson, waits: _waits, ...alert }: AlertWithoutEffect) {
  return { ...alert, since: isoTime(since), lastAt: isoTime(lastAt) };
}

function presentRequest(request: ChangeRequest) {
  const { id, project, environment, state, schedule } = request;
  const scheduledAt = schedule?.status === 'pending' ? isoTimeOrNull(schedule.at) : null;
  return { id, project, environment, title: titleOf(request), state, scheduledAt };
}
