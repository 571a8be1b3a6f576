import { createHash } from 'node:crypto';
import type { ParsedInstallation, ParsedState } from '@yardarm/contract';
import type { SentRequest } from '#features/review/change-requests/index.ts';
import { requireVisible } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import { maxDetails, Problem } from '#kernel/errors.ts';
import { pagesYielding } from '#kernel/event-loop.ts';
import { newId } from '#kernel/ids.ts';
import { newestPosition } from '#storage/log-position.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { applyPlan } from './apply.ts';
import type { StateChange } from './changes.ts';
import type { StateFault, StateLimits } from './options.ts';
import {
  describeMissing,
  ignoreReviewOnBreakGlass,
  type MissingPermission,
  missingExtras,
  missingToChange,
  missingToSkipReview,
} from './permissions.ts';
import { planState, type StatePlan } from './plan.ts';
import {
  countRequested,
  type DividedPlan,
  dividePlan,
  maxRequestedChanges,
  type ReviewedPlace,
  requestReviewed,
} from './reviewed-changes.ts';
import {
  agreeToOffs,
  describedAsOff,
  describeSwitchedOff,
  findSwitchedOff,
  type SwitchedOff,
  stateGroup,
  switchedOnBy,
} from './switched-off.ts';
import { toDesiredState } from './to-desired-state.ts';

/** The request of a plan or an apply: the state, the prune option, and parts of an installation to create. */
export interface StateRequest {
  readonly state: ParsedState;
  readonly prune: boolean;
  /** Names of further flags to archive. */
  readonly archive: readonly string[];
  readonly installation?: ParsedInstallation | undefined;
  /** Requests what has to be reviewed, instead of refusing it. */
  readonly changeRequests: boolean;
}

export interface StateRequestPlan {
  readonly plan: StatePlan;
  /** A hash of the changes, which identifies the plan. */
  readonly fingerprint: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly missing: readonly MissingPermission[];
  /** The parts of the plan: what is applied, and what is requested where it has to be reviewed. */
  readonly divided: DividedPlan;
  /** Flags that the state would switch on, although they were switched off by other means after it was pulled. */
  readonly switchedOff: readonly SwitchedOff[];
  /** Flags that were switched off by other means, and that the state now describes as off. */
  readonly agreedOff: readonly SwitchedOff[];
}

/**
 * Plans a state without applying it. Rejects with 404 when the state names a project that is hidden from the caller;
 * other entities of hidden projects are treated as missing.
 */
export async function planRequest(
  db: Db,
  limits: StateLimits,
  { state, prune, archive, installation: requested, changeRequests }: StateRequest,
  caller: Identity,
  now: number,
): Promise<StateRequestPlan> {
  const all = toDesiredState(state);
  for (const { id } of all.projects) requireVisible(caller, id);
  // Only administrators may see action sets: other callers learn only that they may not change them.
  const forbiddenSets = caller.can('ADMIN') ? [] : all.actionSets;
  const installation = caller.can('ADMIN') ? requested : undefined;
  const desired = {
    ...all,
    strategies: installation?.strategies ?? [],
    actionSets: all.actionSets.filter((set) => !forbiddenSets.includes(set)),
    installation,
  };
  const projectsWithSets = Object.entries(state.projects ?? {}).filter(([, { actions }]) => actions !== undefined);
  const plan = await planState(db, desired, {
    limits,
    now,
    caller,
    archived: 'revived',
    keepExisting: false,
    prune: prune ? desired.projects.map(({ id }) => id) : [],
    archive,
    pruneActions: prune && caller.can('ADMIN') ? projectsWithSets.map(([id]) => id) : [],
  });
  const forAdministrators = [
    ...(forbiddenSets.length === 0
      ? []
      : [{ permissions: ['ADMIN' as const], scope: {}, names: forbiddenSets.map(({ name }) => name) }]),
    ...(requested === installation ? [] : [{ permissions: ['ADMIN' as const], scope: {}, names: ['installation'] }]),
  ];
  const unreviewed = await missingToSkipReview(db, caller, plan.changes, limits.review);
  const places = changeRequests ? placesToReview(unreviewed) : [];
  const divided = await dividePlan(db, plan, places);
  const { changes } = divided.direct;
  // A change of all environments needs its own permission also when it is requested.
  const ownChanges = [
    ...plan.changes.filter(({ environment }) => environment === null),
    ...changes.filter(({ environment }) => environment !== null),
  ];
  return {
    plan,
    fingerprint: await planFingerprint(plan.changes),
    errors: [
      ...plan.faults.map((fault) => ({ path: statePathOf(fault), message: fault.message })),
      ...tooManyToRequest(divided),
    ],
    missing: [
      ...missingToChange(caller, ownChanges),
      ...(places.length === 0 ? unreviewed : await missingToSkipReview(db, caller, changes, limits.review)),
      ...forAdministrators,
    ],
    divided,
    switchedOff: await findSwitchedOff(db, switchedOnBy(plan.flags), await pulledAt(db, state)),
    agreedOff: await findSwitchedOff(db, describedAsOff(desired.flags), 0),
  };
}

function tooManyToRequest(divided: DividedPlan): { path: string; message: string }[] {
  const count = countRequested(divided);
  if (count <= maxRequestedChanges) return [];
  const message = `has ${count} changes that need review, and at most ${maxRequestedChanges} can be requested at once. Apply a part of the files first.`;
  return [{ path: '', message: `The state ${message}` }];
}

function placesToReview(missing: readonly MissingPermission[]): ReviewedPlace[] {
  return missing.flatMap(({ review, scope: { project, environment } }) =>
    review === undefined || project === undefined || environment === undefined ? [] : [{ project, environment }],
  );
}

/** Returns the id of the event up to which a state was pulled; 0 when it was not pulled from this log. */
async function pulledAt(db: Db, { pulled }: ParsedState): Promise<number> {
  if (pulled === undefined) return 0;
  return (await newestPosition(db)).epoch === pulled.epoch ? pulled.event : 0;
}

/**
 * Applies a state in one transaction. Rejects with 400 and all errors, with 403 and all missing permissions, and with
 * 409 when the changes differ from those of the fingerprint, or when a flag would be switched on that was switched off
 * by other means, unless `override` is set. With `changeRequests`, requests what has to be reviewed, in the same
 * transaction.
 */
export async function applyState(
  tx: Tx,
  limits: StateLimits,
  request: StateRequest & { readonly fingerprint?: string | undefined; readonly override: boolean },
  caller: Identity,
): Promise<{ readonly plan: StatePlan; readonly sent: readonly SentRequest[] }> {
  const changeRequests = request.changeRequests && tx.by.breakGlassReason === undefined;
  const planned = await planRequest(tx.db, limits, { ...request, changeRequests }, caller, tx.now);
  const { divided, fingerprint, errors, missing: all } = planned;
  const missing = ignoreReviewOnBreakGlass(tx.by, all);
  if (errors.length > 0) {
    const details = errors
      .slice(0, maxDetails)
      .map(({ path, message }) => ({ path, message: `${path} ${message}`.trim() }));
    throw new Problem('BadDataError', `The state cannot be applied: ${details[0]?.message}`, { details });
  }
  if (missing.length > 0) {
    const details = missing.slice(0, maxDetails).map((permission) => ({ message: describeMissing(permission) }));
    const extras = missingExtras(missing);
    throw new Problem('PermissionError', details[0]?.message ?? '', { details, extras });
  }
  if (request.fingerprint !== undefined && request.fingerprint !== fingerprint) {
    throw new Problem('ConflictError', 'The state changed since this plan was made. Plan again.');
  }
  if (!request.override) requireNotSwitchedOff(planned.switchedOff);
  tx.joinGroup({ type: stateGroup, id: newId() });
  const { direct: plan } = divided;
  if (plan.changes.length > 0) await applyPlan(tx, limits, plan);
  await agreeToOffs(tx, planned.agreedOff);
  return { plan, sent: await requestReviewed(tx, limits, divided) };
}

function requireNotSwitchedOff(switchedOff: readonly SwitchedOff[]): void {
  if (switchedOff.length === 0) return;
  const details = switchedOff.slice(0, maxDetails).map((off) => ({ message: describeSwitchedOff(off) }));
  const message = `The state would switch on what was switched off: ${details[0]?.message}. Pull the state again, or apply with override.`;
  throw new Problem('ConflictError', message, { details });
}

async function planFingerprint(changes: readonly StateChange[]): Promise<string> {
  const hash = createHash('sha256');
  for await (const page of pagesYielding(changes, ({ warning: _, ...change }) => `${JSON.stringify(change)}\n`))
    hash.update(page.join(''));
  return hash.digest('base64url');
}

/** Returns the path of a fault in the state file. */
function statePathOf({ kind, name, project, path }: StateFault): string {
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
    'release-template': 'releaseTemplates',
  };
  const place =
    kind === 'flag' ? (project === undefined ? [] : ['projects', project, 'flags', name]) : [lists[kind], name];
  return [...place, inner].filter((part) => part !== '').join('.');
}
