import { handledSignals, outcomesOfRuns, runsOfAlerts, setsListeningTo } from '#features/automation/actions/index.ts';
import { expectedAlerts } from '#features/signals/signals/index.ts';
import type { Db } from '#storage/tx.ts';
import {
  type AlertWords,
  alertsWithoutOwnHold,
  endedHolds,
  type FiringAlert,
  holdsOfSets,
  wordsOf,
} from './queries.ts';
import { type NoEffect, needsOutcome, whyWithoutEffect } from './reason.ts';

/** The maximum number of firing alerts that are examined. */
const maxExamined = 500;

/** A firing alert that holds no flag and changes none. */
export interface AlertWithoutEffect extends FiringAlert, NoEffect, AlertWords {}

const noWords: AlertWords = { title: null, link: null, truncatedAlerts: 0 };

const unseen: NoEffect = {
  reason: 'Actions of projects that you cannot see listen to this endpoint.',
  project: null,
  actionSetId: null,
  runId: null,
  byPerson: false,
  waits: false,
};

/**
 * Returns firing alerts without effect, each with the reason, and their total number. Examines the newest 500 alerts
 * without a hold of their own; leaves out alerts that their endpoint expects. The newest come first, but alerts whose
 * reason a person caused come after all others. The cost does not grow with the number of signals. A reason names only
 * actions of `projects`; undefined: of all.
 */
export async function alertsWithoutEffect(
  db: Db,
  projects: readonly string[] | undefined,
  now: number,
  limit: number,
): Promise<{ readonly alerts: AlertWithoutEffect[]; readonly total: number }> {
  const alerts = await alertsWithoutOwnHold(db, now, maxExamined);
  if (alerts.length === 0) return { alerts: [], total: 0 };
  const endpointIds = [...new Set(alerts.map(({ signalEndpointId }) => signalEndpointId))];
  const [sets, handled, runs, ended] = await Promise.all([
    setsListeningTo(db, endpointIds),
    handledSignals(db, endpointIds),
    runsOfAlerts(db, alerts),
    endedHolds(db),
  ]);
  const [holds, outcomes] = await Promise.all([
    holdsOfSets(db, [...new Set(runs.map(({ actionSetId }) => actionSetId))]),
    outcomesOfRuns(
      db,
      runs.filter(needsOutcome).map(({ id }) => id),
    ),
  ]);
  const mayRead = ({ project }: { readonly project: string }) => projects?.includes(project) ?? true;
  const setsOf = Map.groupBy(sets, ({ endpointId }) => endpointId);
  const runsOf = Map.groupBy(runs, ({ signalId }) => signalId);
  const all = alerts.flatMap((alert) => {
    const facts = {
      alert,
      sets: setsOf.get(alert.signalEndpointId) ?? [],
      handledUpTo: handled.get(alert.signalEndpointId) ?? 0,
      runs: runsOf.get(alert.signalId) ?? [],
      ...{ outcomes, holds, ended },
    };
    if (whyWithoutEffect(facts) === undefined) return [];
    const readable = { ...facts, sets: facts.sets.filter(mayRead), runs: facts.runs.filter(mayRead) };
    const isHidden = readable.sets.length === 0 && facts.sets.length > 0;
    return [{ ...alert, ...(isHidden ? unseen : (whyWithoutEffect(readable) ?? unseen)) }];
  });
  const expected = await expectedAlerts(db, all);
  const found = all.filter((alert) => !expected.has(alert));
  const shown = found.toSorted((a, b) => Number(a.byPerson) - Number(b.byPerson)).slice(0, limit);
  const words = await wordsOf(db, shown);
  const alertsShown = shown.map((alert, index) => ({ ...alert, ...(words[index] ?? noWords) }));
  return { alerts: alertsShown, total: found.length };
}
