import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { recordedParameters } from '../../kinds/index.ts';
import type { RanAction } from './outcome.ts';
import { findRuns, type RunWithSignal } from './store.ts';

/** The permission to see the action sets and runs of a project. */
const readPermission = 'READ_ACTIONS';

/**
 * Returns a run as a caller may see it: without the payload and what was recognised in it for callers without
 * READ_SIGNALS, and without the paths and bodies of calls for callers without ADMIN, because these may be secret.
 */
export function visibleRun(run: RunWithSignal, { can }: Pick<Identity, 'can'>): RunWithSignal {
  if (can('ADMIN')) return run;
  const isShown = run.signal === undefined || can('READ_SIGNALS');
  const signal = isShown ? run.signal : { ...run.signal, payload: 'null', normalized: null };
  return {
    ...run,
    reason: withoutUrlPaths(run.reason),
    signal,
    set: { ...run.set, actions: run.set.actions.map(withoutCallSecrets) },
  };
}

/** Returns a text without the paths of URLs. The reason of a cool-down names the URL that was called. */
export function withoutUrlPaths(text: string | null): string | null {
  return text?.replace(/(https?:\/\/[^/?#\s]+)[/?#]\S*/g, '$1/…') ?? null;
}

function withoutCallSecrets(action: RanAction): RanAction {
  const { call } = action;
  return {
    ...action,
    executionParams: recordedParameters(action.action, action.executionParams),
    call: call === null ? null : { method: call.method, url: `${originOf(call.url)}/…`, body: '' },
  };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** Returns a run that the caller may see. Rejects with 404 for any other. */
export async function requireVisibleRun(db: Db, { can }: Pick<Identity, 'can'>, id: number): Promise<RunWithSignal> {
  const [run] = await findRuns(db, [id]);
  if (run !== undefined && can(readPermission, { project: run.project })) return run;
  throw new Problem('NotFoundError', `There is no run ${id}.`);
}

/** Returns the projects whose runs the caller may see; undefined for all. */
export async function readableProjects(db: Db, { can }: Pick<Identity, 'can'>): Promise<string[] | undefined> {
  if (can('ADMIN')) return undefined;
  const projects = await db.selectFrom('projects').select('id').execute();
  return projects.map(({ id }) => id).filter((project) => can(readPermission, { project }));
}
