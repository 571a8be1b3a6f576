import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import { findDigests, type Signal, type SignalDigest } from '#features/signals/signals/index.ts';
import { firstOf } from '#kernel/lists.ts';
import { jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import { openedIn, sealedIn } from '#storage/sealed-text.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Call, callsOf } from '../../calls/index.ts';
import { isOutboundKind, shownParameters } from '../../kinds/index.ts';
import { type ActionSet, findSet, storedAction, storedSet } from '../../sets/index.ts';
import type { Outcome, RanAction, RunState } from './outcome.ts';

/** The cause of a run. */
export type RunCause = 'signal' | 'replay' | 'take-back' | 'override-ended';

/** A run, with a copy of the set at that time. */
export interface Run {
  readonly id: number;
  readonly actionSetId: number;
  readonly project: string;
  readonly signalId: number;
  readonly tokenId: number;
  readonly element: number | null;
  readonly cause: RunCause;
  readonly takesBackRunId: number | null;
  readonly state: RunState;
  readonly reason: string | null;
  readonly shadow: boolean;
  readonly set: Omit<ActionSet, 'actions'> & { readonly actions: readonly RanAction[] };
  readonly createdAt: number;
  /** The time until which the run waits for the decision of a person; null when it does not wait for a person. */
  readonly decideBy: number | null;
}

/** A run with its signal, or the digest of its signal when retention has deleted the payload. */
export interface RunWithSignal extends Run {
  readonly signal: Pick<Signal, 'endpointId' | 'createdAt' | 'payload' | 'normalized'> | undefined;
  readonly digest: SignalDigest | undefined;
  /** The calls of the run. */
  readonly calls: readonly Call[];
}

const setColumn = jsonColumn<Run['set']>(
  'action_runs.action_set',
  storedSet.extend({
    actions: z.array(
      storedAction.extend({
        state: z.enum(['not started', 'started', 'success', 'failed']),
        details: z.string().nullable(),
        changes: z.array(
          z.object({
            type: z.custom<EventType>((type) => typeof type === 'string'),
            featureName: z.string().nullable(),
            environment: z.string().nullable(),
          }),
        ),
        call: z.object({ method: z.string(), url: z.string(), body: z.string() }).nullable(),
      }),
    ),
  }),
);

/** The origin of a run. `alert` is the condition of its alert; null without a fingerprint. */
type Origin = Pick<Run, 'signalId' | 'tokenId' | 'element' | 'cause' | 'takesBackRunId'> & {
  readonly alert: string | null;
};

/** Inserts a started run; {@link finishRun} saves its outcome. */
export async function beginRun(tx: Tx, run: Origin, set: Omit<ActionSet, 'actions'>): Promise<number> {
  const { id: setId, project, shadow } = set;
  const { signalId, tokenId, element, cause, takesBackRunId, alert } = run;
  const ids = { setId, signalId, tokenId, takesBackRunId, alert };
  const rows = await insertRun(tx, { ...ids, project, element, cause, shadow: Number(shadow), at: tx.now });
  return firstOf(rows).id;
}

type StartedRun = Origin & {
  readonly project: string;
  readonly setId: number;
  readonly shadow: number;
  readonly at: number;
};

const insertRun = prepared<StartedRun>().returning((db, run) =>
  db
    .insertInto('action_runs')
    .values({
      action_set_id: run.setId,
      project: run.project,
      signal_id: run.signalId,
      token_id: run.tokenId,
      element: run.element,
      cause: run.cause,
      takes_back_run_id: run.takesBackRunId,
      alert_condition: run.alert,
      state: 'started',
      reason: null,
      shadow: run.shadow,
      action_set: '{}',
      created_at: run.at,
    })
    .returning('id'),
);

/** Saves the outcome of a run. Secret parameters are not stored with it. */
export async function finishRun(tx: Tx, id: number, set: Omit<ActionSet, 'actions'>, outcome: Outcome): Promise<void> {
  const text = setColumn.write({ ...set, actions: outcome.actions.map(withoutSecrets) });
  const isSecret = outcome.actions.some(({ action }) => isOutboundKind(action));
  const actionSet = isSecret ? sealedIn(tx.db, text) : text;
  await updateRun(tx, {
    id,
    state: outcome.state,
    // Reasons may quote a payload, and PostgreSQL stores no U+0000.
    reason: outcome.reason?.replaceAll('\0', '\ufffd') ?? null,
    waitsUntil: outcome.waitsUntil ?? null,
    waitsFor: outcome.waitsFor ?? null,
    decideBy: outcome.decideBy ?? null,
    actionSet,
  });
}

type FinishedRun = Readonly<Pick<Outcome, 'state' | 'reason'>> & {
  readonly id: number;
  readonly waitsUntil: number | null;
  readonly waitsFor: string | null;
  readonly decideBy: number | null;
  readonly actionSet: string;
};

const updateRun = prepared<FinishedRun>().change((db, { id, state, reason, actionSet, ...waits }) =>
  db
    .updateTable('action_runs')
    .set({ state, reason, action_set: actionSet })
    .set({ waits_until: waits.waitsUntil, waits_for: waits.waitsFor, decide_by: waits.decideBy })
    .where('id', '=', id),
);

function withoutSecrets(action: RanAction): RanAction {
  return { ...action, executionParams: shownParameters(action.action, action.executionParams) };
}

/**
 * Replaces the unreadable copy of the set by the current set without actions. Deletes the run when the set was deleted.
 */
export async function replaceUnreadableSet(tx: Tx, id: number): Promise<void> {
  const run = await tx.db.selectFrom('action_runs').selectAll().where('id', '=', id).executeTakeFirst();
  const currentSet = run && (await findSet(tx.db, run.action_set_id));
  if (run === undefined || currentSet === undefined) {
    await tx.db.deleteFrom('action_runs').where('id', '=', id).execute();
    return;
  }
  const text = setColumn.write({ ...currentSet, shadow: run.shadow === 1, actions: [] });
  await tx.db.updateTable('action_runs').set({ action_set: text }).where('id', '=', id).execute();
}

/** Returns the runs of a set, optionally of one state, newest first. */
export function listRuns(
  db: Db,
  setId: number,
  { offset, limit, state }: { readonly offset: number; readonly limit: number; readonly state?: RunState | undefined },
): Promise<RunWithSignal[]> {
  return readRuns(db, (query) => {
    const ofSet = query.where('r.action_set_id', '=', setId);
    return (state === undefined ? ofSet : ofSet.where('r.state', '=', state)).offset(offset).limit(limit);
  });
}

/** Returns the runs with these ids that exist, newest first. */
export function findRuns(db: Db, ids: readonly number[]): Promise<RunWithSignal[]> {
  return ids.length === 0 ? Promise.resolve([]) : readRuns(db, (query) => query.where('r.id', 'in', ids));
}

/** Returns the id of the run that took this one back. */
export async function takenBackBy(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('action_runs')
    .select('id')
    .where('takes_back_run_id', '=', id)
    .orderBy('id')
    .executeTakeFirst();
  return row?.id;
}

function runsIn(db: Db) {
  return db
    .selectFrom('action_runs as r')
    .leftJoin('signals as s', 's.id', 'r.signal_id')
    .selectAll('r')
    .select(['s.endpoint_id', 's.created_at as received_at', 's.payload', 's.normalized'])
    .orderBy('r.id', 'desc');
}

async function readRuns(db: Db, narrow: (query: ReturnType<typeof runsIn>) => ReturnType<typeof runsIn>) {
  const rows = await narrow(runsIn(db)).execute();
  const calls = await callsOf(
    db,
    rows.map(({ id }) => id),
  );
  const digests = await findDigests(
    db,
    rows.flatMap(({ payload, signal_id: id }) => (payload === null ? [id] : [])),
  );
  return rows.map(({ endpoint_id, received_at, payload, normalized, ...row }) => ({
    ...fromRow(db, row),
    calls: calls.get(row.id) ?? [],
    digest: digests.get(row.signal_id),
    signal:
      endpoint_id === null || received_at === null || payload === null
        ? undefined
        : { endpointId: endpoint_id, createdAt: received_at, payload, normalized },
  }));
}

/** Returns the copy of the set in a run, with the result of each action. */
export function setOfRun(db: Db, { id, action_set: text }: Pick<Row<'action_runs'>, 'id' | 'action_set'>): Run['set'] {
  return setColumn.parse(text.startsWith('{') ? text : (openedIn(db, text, `The run ${id}`) ?? ''), id);
}

/** Returns the run of a row. */
export function fromRow(db: Db, row: Row<'action_runs'>): Run {
  return {
    id: row.id,
    actionSetId: row.action_set_id,
    project: row.project,
    signalId: row.signal_id,
    tokenId: row.token_id,
    element: row.element,
    cause: row.cause as RunCause,
    takesBackRunId: row.takes_back_run_id,
    state: row.state as RunState,
    reason: row.reason,
    shadow: row.shadow === 1,
    set: setOfRun(db, row),
    createdAt: row.created_at,
    decideBy: row.decide_by,
  };
}
