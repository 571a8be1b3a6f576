import { type EventType, type incidentRoutes, readableAuthor } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { Identity } from '../../kernel/caller.ts';
import { isoTime } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Db } from '../../storage/tx.ts';
import { type ListedRun, listRunsOf, takeBacksAmong } from '../actions/index.ts';
import { labelOf } from '../events/index.ts';
import { gapMs, groupIncidents, type Incident } from './grouping.ts';
import { instanceChangesDuring } from './instance-changes.ts';
import {
  blockedDuring,
  changesOfPeople,
  changesOfRuns,
  type EventChange,
  findSignals,
  holdOfEvent,
  type IncidentSignal,
  projectOfChange,
} from './queries.ts';

/** The maximum number of changes, signals and runs in an answer. */
const maxRows = 1000;
/** The maximum number of changes of the whole instance, and of events about blocked action sets, in an answer. */
const maxInstanceChanges = 50;
/** The maximum number of flags that are named in a list. */
const maxFlags = 20;

type Found = Incident<EventChange>;

/** Serves what automation did: signals, runs, holds and changes that belong together. */
export function incidentHandlers({ db }: Pick<Database, 'db'>): Handlers<typeof incidentRoutes> {
  return {
    'GET /api/admin/incidents': async ({ caller, query }) => {
      const { offset, limit, ...range } = query;
      const { changes, held, truncated } = await changesOfRuns(db, { ...range, hidden: caller.hidden });
      const all = groupIncidents(changes, held).reverse();
      const page = all.slice(offset, offset + limit);
      const firstSignals = await findSignals(
        db,
        page.flatMap(({ changes }) => signalIdsOf(changes).slice(0, 1)),
      );
      const incidents = page.map((incident) => presentIncident(incident, firstSignals, caller));
      return { status: 200, body: { incidents, total: all.length, truncated } };
    },
    'GET /api/admin/incidents/:incidentId': async ({ caller, params: { incidentId } }) => {
      const incident = await findIncident(db, caller, incidentId);
      return { status: 200, body: await presentDetail(db, caller, incident) };
    },
  };
}

/** Returns the incident that an event begins. Rejects with 404 when there is none that the caller may see. */
async function findIncident(db: Db, caller: Identity, id: number): Promise<Found> {
  const project = await projectOfChange(db, id);
  if (project !== undefined) {
    const { changes, held } = await changesOfRuns(db, { hidden: caller.hidden, project, since: id });
    const incident = groupIncidents(changes, held).find(({ changes: [first] }) => first?.id === id);
    if (incident !== undefined) return incident;
  }
  throw new Problem('NotFoundError', `There is no incident ${id}.`);
}

function signalIdsOf(changes: readonly EventChange[]): number[] {
  return [...new Set(changes.flatMap(({ signalId }) => signalId ?? []))];
}

function flagsOf(changes: readonly EventChange[]): string[] {
  return [...new Set(changes.flatMap(({ featureName }) => featureName ?? []))];
}

function presentIncident(
  { project, changes, openHolds }: Found,
  signals: readonly IncidentSignal[],
  { can }: Pick<Identity, 'can'>,
) {
  const [first, last] = [changes[0] as EventChange, changes.at(-1) as EventChange];
  const signalIds = signalIdsOf(changes);
  const signal = signals.find(({ id }) => id === signalIds[0]);
  const flags = flagsOf(changes);
  return {
    id: first.id,
    project,
    title: (can('READ_SIGNALS') ? signal?.title : null) ?? signal?.endpoint ?? readableAuthor(first.row.created_by),
    startedAt: isoTime(first.at),
    lastAt: isoTime(last.at),
    openHolds,
    flags: flags.slice(0, maxFlags),
    signals: signalIds.length,
    runs: new Set(changes.flatMap(({ runId }) => runId ?? [])).size,
    changes: changes.length,
  };
}

async function presentDetail(db: Db, caller: Identity, incident: Found) {
  const { changes, openHolds } = incident;
  const [first, last] = [changes[0] as EventChange, changes.at(-1) as EventChange];
  const until = openHolds > 0 ? null : last.at + gapMs;
  const runs = await runsOfIncident(db, caller, incident);
  const signalIds = new Set([...signalIdsOf(changes), ...(runs ?? []).map(({ signalId }) => signalId)]);
  const [signals, byPeople, blocked, ofInstance] = await Promise.all([
    findSignals(db, [...signalIds].slice(0, maxRows)),
    changesOfPeople(db, {
      flags: flagsOf(changes),
      hidden: caller.hidden,
      first: first.id,
      until,
      limit: maxRows,
    }),
    runs === null
      ? []
      : blockedDuring(db, { project: incident.project, first: first.id, until, limit: maxInstanceChanges }),
    instanceChangesDuring(db, { first: first.id, until, limit: maxInstanceChanges }),
  ]);
  const ofIncident = new Set(changes.map(({ id }) => id));
  const others = [...byPeople, ...blocked].filter(({ id }) => !ofIncident.has(id));
  const rows = [...changes.map(({ row }) => row), ...others].toSorted((a, b) => a.id - b.id);
  const shown = rows.slice(0, maxRows);
  const takeBacks = await takeBacksAmong(db, [...new Set(shown.flatMap(({ run_id }) => run_id ?? []))]);
  return {
    ...presentIncident(incident, signals, caller),
    flags: flagsOf(changes),
    signals: signals.map(({ at, title, ...signal }) => {
      return { ...signal, at: isoTime(at), title: caller.can('READ_SIGNALS') ? title : null };
    }),
    runs:
      runs?.slice(0, maxRows).map(({ id, createdAt, name, signalId, state, reason, shadow }) => {
        return { id, at: isoTime(createdAt), name, signalId, state, reason, shadow };
      }) ?? null,
    // From all rows: a hold may have ended after the changes that are shown.
    holds: holdsOf(rows).slice(0, maxRows),
    changes: [...shown.map((row) => presentChange(row, takeBacks)), ...ofInstance].toSorted(
      (a, b) => a.eventId - b.eventId,
    ),
    truncated: Math.max(rows.length, signalIds.size, runs?.length ?? 0) > maxRows,
  };
}

/**
 * Returns the runs of the signals of an incident, and those of its project that changed nothing meanwhile: they failed,
 * were skipped or wait. Oldest first; more than `maxRows` when there are more. Null for callers who may not read runs.
 */
async function runsOfIncident(db: Db, caller: Identity, { changes, project }: Found): Promise<ListedRun[] | null> {
  if (!caller.can('READ_ACTIONS', { project })) return null;
  const [first, last] = [changes[0] as EventChange, changes.at(-1) as EventChange];
  const page = { projects: [project], offset: 0, limit: maxRows + 1 };
  const [ofSignals, withoutChange] = await Promise.all([
    listRunsOf(db, { signalIds: signalIdsOf(changes).slice(0, maxRows), ...page }),
    listRunsOf(db, {
      states: ['failed', 'skipped', 'waiting'],
      began: { from: first.at - gapMs, to: last.at + gapMs },
      ...page,
    }),
  ]);
  const byId = new Map([...ofSignals, ...withoutChange].map((run) => [run.id, run]));
  return [...byId.values()].toSorted((a, b) => a.id - b.id);
}

/** Events in which a person decides an undecided run. They name the run, but are not changes by automation. */
const decisions: readonly EventType[] = ['action-run-approved', 'action-run-dropped'];

function presentChange(row: EventRow, takeBacks: ReadonlySet<number>) {
  const isDecision = decisions.includes(row.type as EventType);
  return {
    eventId: row.id,
    at: isoTime(row.created_at),
    type: row.type as EventType,
    label: labelOf(row),
    by: readableAuthor(row.created_by),
    reason: row.reason,
    featureName: row.feature_name,
    environment: row.environment,
    signalId: row.signal_id,
    runId: row.run_id,
    byAutomation: row.run_id !== null && !takeBacks.has(row.run_id) && !isDecision,
  };
}

/** Returns the holds that the events tell of, each in its last state, with its end if it has ended. */
function holdsOf(rows: readonly EventRow[]) {
  const holds = new Map<number, ReturnType<typeof presentHoldOf>>();
  for (const row of rows) {
    const presented = presentHoldOf(row);
    if (presented !== undefined) holds.set(presented.id, presented);
  }
  return [...holds.values()].flatMap((hold) => hold ?? []);
}

function presentHoldOf(row: EventRow) {
  const hold = holdOfEvent(row);
  if (hold === undefined) return undefined;
  const { id, effect, rollout, reason, heldBy, placedAt } = hold;
  const how = endings[row.type as keyof typeof endings];
  return {
    ...{ id, effect, rollout, reason, placedAt },
    featureName: row.feature_name ?? '',
    environment: row.environment ?? '',
    placedBy: heldBy.name,
    end: how === undefined ? null : { at: isoTime(row.created_at), how, by: readableAuthor(row.created_by) },
  };
}

const endings = { 'feature-lease-released': 'released', 'feature-lease-expired': 'expired' } as const satisfies Partial<
  Record<EventType, 'released' | 'expired'>
>;
