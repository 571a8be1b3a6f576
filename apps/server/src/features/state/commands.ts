import { createHash } from 'node:crypto';
import type { ParsedInstallation, ParsedState } from '@yardarm/contract';
import { requireVisible } from '../../http/permission.ts';
import type { Identity } from '../../kernel/caller.ts';
import { maxDetails, Problem } from '../../kernel/errors.ts';
import { pagesInTurns } from '../../kernel/turns.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { applyPlan } from './apply.ts';
import type { StateChange } from './changes.ts';
import type { StateFault, StateLimits } from './options.ts';
import {
  describeMissing,
  type MissingPermission,
  missingExtras,
  missingPermissions,
  unlessGlassIsBroken,
} from './permissions.ts';
import { planState, type StatePlan } from './plan.ts';
import { wantedOf } from './wanted-of.ts';

/** A state, whether what its projects have besides goes, and what is created besides the state. */
export interface StateRequest {
  readonly state: ParsedState;
  readonly prune: boolean;
  readonly installation?: ParsedInstallation | undefined;
}

export interface ForeseenState {
  readonly plan: StatePlan;
  /** Tells these changes from others. */
  readonly fingerprint: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly missing: readonly MissingPermission[];
}

/**
 * What applying a state would change, and what keeps it from that. 404 when it names a project that is hidden from the caller;
 * what else belongs to one is as if it were not there.
 */
export async function foreseeState(
  db: Db,
  limits: StateLimits,
  { state, prune, installation: whole }: StateRequest,
  caller: Identity,
  now: number,
): Promise<ForeseenState> {
  const all = wantedOf(state);
  for (const { id } of all.projects) requireVisible(caller, id);
  // What they are is for administrators to know: others are told that they may not change them.
  const unseen = caller.can('ADMIN') ? [] : all.actionSets;
  const installation = caller.can('ADMIN') ? whole : undefined;
  const wanted = {
    ...all,
    strategies: installation?.strategies ?? [],
    actionSets: all.actionSets.filter((one) => !unseen.includes(one)),
    installation,
  };
  const naming = Object.entries(state.projects ?? {}).filter(([, { actions }]) => actions !== undefined);
  const plan = await planState(db, wanted, {
    limits,
    now,
    caller,
    archived: 'revived',
    kept: false,
    prune: prune ? wanted.projects.map(({ id }) => id) : [],
    pruneActions: prune && caller.can('ADMIN') ? naming.map(([id]) => id) : [],
  });
  return {
    plan,
    fingerprint: await fingerprintOf(plan.changes),
    errors: plan.faults.map((fault) => ({ path: pathOf(fault), message: fault.message })),
    missing: [
      ...(await missingPermissions(db, caller, plan.changes, limits.review)),
      ...(unseen.length === 0
        ? []
        : [{ permissions: ['ADMIN' as const], scope: {}, names: unseen.map(({ name }) => name) }]),
      ...(whole === installation ? [] : [{ permissions: ['ADMIN' as const], scope: {}, names: ['installation'] }]),
    ],
  };
}

/**
 * Makes things what a state says: all of it, or nothing. 400 with all that is wrong with it, 403 with every permission that the
 * caller lacks, and 409 when by now other changes would be made than those of the fingerprint.
 */
export async function applyState(
  tx: Tx,
  limits: StateLimits,
  request: StateRequest & { readonly fingerprint?: string | undefined },
  caller: Identity,
): Promise<StatePlan> {
  const { plan, fingerprint, errors, missing: all } = await foreseeState(tx.db, limits, request, caller, tx.now);
  const missing = unlessGlassIsBroken(tx.by, all);
  if (errors.length > 0) {
    const details = errors
      .slice(0, maxDetails)
      .map(({ path, message }) => ({ path, message: `${path} ${message}`.trim() }));
    throw new Problem('BadDataError', `The state cannot be applied: ${details[0]?.message}`, { details });
  }
  if (missing.length > 0) {
    const details = missing.slice(0, maxDetails).map((one) => ({ message: describeMissing(one) }));
    const extras = missingExtras(missing);
    throw new Problem('PermissionError', details[0]?.message ?? '', { details, extras });
  }
  if (request.fingerprint !== undefined && request.fingerprint !== fingerprint) {
    throw new Problem(
      'ConflictError',
      'Meanwhile something has changed, so that other changes would be made. Look again.',
    );
  }
  if (plan.changes.length > 0) await applyPlan(tx, plan);
  return plan;
}

async function fingerprintOf(changes: readonly StateChange[]): Promise<string> {
  const hash = createHash('sha256');
  for await (const page of pagesInTurns(changes, (change) => `${JSON.stringify(change)}\n`)) hash.update(page.join(''));
  return hash.digest('base64url');
}

/** Where a fault is in the state. */
function pathOf({ kind, name, project, path }: StateFault): string {
  const inner = path.replace(/^dependency\b/, 'dependsOn');
  if (kind === 'action-set')
    return ['projects', project, 'actions', name, inner].filter((part) => part !== '').join('.');
  const lists = {
    segment: 'segments',
    'context-field': 'contextFields',
    'tag-type': 'tagTypes',
    strategy: 'strategies',
    project: 'projects',
    environment: 'environments',
    tag: 'tags',
    user: 'users',
    'api-token': 'apiTokens',
  };
  const place =
    kind === 'flag' ? (project === undefined ? [] : ['projects', project, 'flags', name]) : [lists[kind], name];
  return [...place, inner].filter((part) => part !== '').join('.');
}
