import type { incidentRoutes } from '@yardarm/contract';
import { type ListedRun, listRunsOf, takeBacksAmong } from '#features/automation/actions/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { catchUp } from './group-events.ts';
import { gapMs } from './grouping.ts';
import { instanceChangesDuring } from './instance-changes.ts';
import type { MovedUsers } from './moved-users.ts';
import { addNote, deleteNote, notesOf, presentNote } from './notes.ts';
import { perFlag, readKnown, uniqueById } from './per-flag.ts';
import { holdsOf, presentAll, presentChange, presentIncident } from './present.ts';
import { blockedDuring, changesOfPeople, findSignals } from './queries.ts';
import { readReport } from './report.ts';
import { countIncidents, eventsOfIncidents, flagsOfIncidents, type IncidentRow, listIncidents } from './store.ts';

/** The maximum number of changes, signals and runs in an answer. */
const maxRows = 1000;
/** The maximum number of events of an incident that are read for its holds and signals. */
const maxEvents = 5000;
/** The maximum number of changes of the whole instance, and of events about blocked action sets, in an answer. */
const maxInstanceChanges = 50;

/** Serves what automation did: signals, runs, holds and changes that belong together. */
export function incidentHandlers(
  database: Database,
  clock: Clock,
  moved: Pick<MovedUsers, 'settled'>,
): Handlers<typeof incidentRoutes> {
  const { db, write } = database;
  return {
    'GET /api/admin/incidents': async ({ caller, query }) => {
      const isCurrent = await catchUp(database);
      const filter = { ...query, hidden: caller.hidden };
      const [page, total] = await Promise.all([listIncidents(db, filter), countIncidents(db, filter)]);
      const incidents = await presentAll(db, caller, page);
      return { body: { incidents, total, truncated: !isCurrent } };
    },
    'GET /api/admin/incidents/:incidentId': async ({ caller, params: { incidentId } }) => {
      await Promise.all([catchUp(database), moved.settled()]);
      const incident = await requireIncident(db, caller, incidentId);
      return { body: await presentDetail(db, caller, incident, clock.now()) };
    },
    'POST /api/admin/incidents/:incidentId/notes': async ({ author, caller, params, body }) => {
      const incident = await requireIncident(db, caller, params.incidentId);
      const note = await write(author, (tx) => addNote(tx, incident, body.note));
      return { body: presentNote(note, caller) };
    },
    'DELETE /api/admin/incidents/:incidentId/notes/:noteId': async ({ author, caller, params }) => {
      const incident = await requireIncident(db, caller, params.incidentId);
      await write(author, (tx) => deleteNote(tx, incident, params.noteId));
    },
    'GET /api/admin/incident-report': async ({ caller, query }) => {
      const [isCurrent] = await Promise.all([catchUp(database), moved.settled()]);
      const report = await readReport(db, caller, query, clock.now());
      return { body: { ...report, truncated: report.truncated || !isCurrent } };
    },
  };
}

/** Returns an incident. Rejects with 404 when there is none that the caller may see. */
async function requireIncident(db: Db, { hidden }: Pick<Identity, 'hidden'>, id: number): Promise<IncidentRow> {
  const [incident] = await listIncidents(db, { id, hidden, offset: 0, limit: 1 });
  if (incident === undefined) throw new Problem('NotFoundError', `There is no incident ${id}.`);
  return incident;
}

async function presentDetail(db: Db, caller: Identity, incident: IncidentRow, now: number) {
  const { id, project, openHolds, lastAt } = incident;
  const notes = await notesOf(db, [id]);
  const until = openHolds > 0 ? null : lastAt + gapMs;
  const [own, flagNames] = await Promise.all([eventsOfIncidents(db, [id], maxEvents), flagsOfIncidents(db, [id])]);
  const flags = flagNames.get(id) ?? [];
  const ownSignals = [...new Set(own.flatMap(({ signal_id }) => signal_id ?? []))];
  const runs = await runsOfIncident(db, caller, incident, ownSignals);
  const signalIds = new Set([...ownSignals, ...(runs ?? []).map(({ signalId }) => signalId)]);
  const [signals, byPeople, blocked, ofInstance] = await Promise.all([
    findSignals(db, [...signalIds].slice(0, maxRows)),
    changesOfPeople(db, { flags, hidden: caller.hidden, first: id, until, limit: maxRows }),
    runs === null ? [] : blockedDuring(db, { project, first: id, until, limit: maxInstanceChanges }),
    instanceChangesDuring(db, { first: id, until, limit: maxInstanceChanges }),
  ]);
  const rows = uniqueById([...own, ...byPeople, ...blocked]);
  const shown = rows.slice(0, maxRows);
  const [takeBacks, known] = await Promise.all([
    takeBacksAmong(db, [...new Set(shown.flatMap(({ run_id }) => run_id ?? []))]),
    readKnown(db, [id], own),
  ]);
  const signal = signals.find((found) => found.id === incident.firstSignal);
  return {
    ...presentIncident(incident, { flags, signal, first: own[0] }, caller),
    flags,
    perFlag: perFlag(own, rows, { now, isOpen: openHolds > 0, ...known }),
    notes: notes.map((note) => presentNote(note, caller)),
    signals: signals.map(({ at, title, ...rest }) => {
      return { ...rest, at: isoTime(at), title: caller.can('READ_SIGNALS') ? title : null };
    }),
    runs: runs?.slice(0, maxRows).map(presentRun) ?? null,
    // From all rows: a hold may have ended after the changes that are shown.
    holds: holdsOf(rows).slice(0, maxRows),
    changes: [...shown.map((row) => presentChange(row, takeBacks)), ...ofInstance].toSorted(
      (a, b) => a.eventId - b.eventId,
    ),
    truncated: Math.max(rows.length, signalIds.size, runs?.length ?? 0) > maxRows,
  };
}

function presentRun({ id, createdAt, name, signalId, state, reason, shadow }: ListedRun) {
  return { id, at: isoTime(createdAt), name, signalId, state, reason, shadow };
}

/**
 * Returns the runs of the signals of an incident, and those of its project that changed nothing meanwhile: they failed,
 * were skipped or wait. Oldest first; more than `maxRows` when there are more. Null for callers who may not read runs.
 */
async function runsOfIncident(
  db: Db,
  caller: Identity,
  { project, startedAt, lastAt }: IncidentRow,
  signalIds: readonly number[],
): Promise<ListedRun[] | null> {
  if (!caller.can('READ_ACTIONS', { project })) return null;
  const page = { projects: [project], offset: 0, limit: maxRows + 1 };
  const [ofSignals, withoutChange] = await Promise.all([
    listRunsOf(db, { signalIds: signalIds.slice(0, maxRows), ...page }),
    listRunsOf(db, {
      states: ['failed', 'skipped', 'waiting'],
      began: { from: startedAt - gapMs, to: lastAt + gapMs },
      ...page,
    }),
  ]);
  const byId = new Map([...ofSignals, ...withoutChange].map((run) => [run.id, run]));
  return [...byId.values()].toSorted((a, b) => a.id - b.id);
}
