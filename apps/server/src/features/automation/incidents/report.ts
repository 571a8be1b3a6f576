import { takeBacksAmong } from '#features/automation/actions/index.ts';
import { visibleEvents } from '#features/log/events/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import { notesOf, presentNote } from './notes.ts';
import { perFlag, readKnown } from './per-flag.ts';
import { presentAll, presentChange } from './present.ts';
import { countIncidents, eventsOfIncidents, incidentsOfEvents, listIncidents } from './store.ts';

const maxIncidents = 100;
const maxChanges = 2000;
/** The maximum number of events of incidents that are read for the times of their flags. */
const maxEvents = 20_000;

/** The time of a report, in milliseconds UTC, and the only project that it is about. */
interface ReportQuery {
  readonly from: number;
  readonly to: number;
  readonly project?: string | undefined;
}

/** Returns the incidents and all changes of flags between two times, as far as the caller may see them. */
export async function readReport(db: Db, caller: Identity, query: ReportQuery, now: number) {
  const filter = { ...query, hidden: caller.hidden };
  const [rows, total, events] = await Promise.all([
    listIncidents(db, { ...filter, offset: 0, limit: maxIncidents }),
    countIncidents(db, filter),
    changesBetween(db, caller, query),
  ]);
  const incidents = rows.toReversed();
  const ids = incidents.map(({ id }) => id);
  const shown = events.slice(0, maxChanges);
  const [presented, notes, members, takeBacks, own] = await Promise.all([
    presentAll(db, caller, incidents),
    ids.length === 0 ? [] : notesOf(db, ids),
    incidentsOfEvents(
      db,
      shown.map(({ id }) => id),
    ),
    takeBacksAmong(db, [...new Set(shown.flatMap(({ run_id }) => run_id ?? []))]),
    eventsOfIncidents(db, ids, maxEvents),
  ]);
  const known = await readKnown(db, ids, own);
  const ofIncident = Map.groupBy(own, ({ incident_id }) => incident_id);
  return {
    from: isoTime(query.from),
    to: isoTime(query.to),
    incidents: presented.map((incident) => ({
      ...incident,
      perFlag: perFlag(ofIncident.get(incident.id) ?? [], shown, { now, isOpen: incident.openHolds > 0, ...known }),
      notes: notes.filter(({ incident_id }) => incident_id === incident.id).map((note) => presentNote(note, caller)),
    })),
    changes: shown.map((row) => ({
      ...presentChange(row, takeBacks),
      project: row.project ?? '',
      incidentId: members.get(row.id) ?? null,
    })),
    truncated: total > maxIncidents || events.length > maxChanges || own.length === maxEvents,
  };
}

/** Returns the events about flags between two times, oldest first; one more than are shown when there are more. */
async function changesBetween(db: Db, { hidden }: Identity, { from, to, project }: ReportQuery) {
  let query = db.selectFrom('events').selectAll().where('created_at', '>=', from).where('created_at', '<', to);
  for (const condition of visibleEvents({ onlyInProjects: true, hidden })) query = query.where(condition);
  if (project !== undefined) query = query.where('project', '=', project);
  return query
    .where((eb) => eb.or(prefixes.map((prefix) => eb('type', 'like', `${prefix}%`))))
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxChanges + 1)
    .execute();
}

/** The beginnings of the types of events about flags. */
const prefixes = ['feature-', 'release-plan-', 'safeguard-', 'change-request-applied'];
