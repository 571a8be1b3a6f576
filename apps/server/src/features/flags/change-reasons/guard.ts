import { changeReasonHeader } from '@yardarm/contract';
import { compilePattern } from '@yardarm/evaluation';
import { eventScope } from '#features/flags/change-control/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { findProject } from '#features/projects/projects/index.ts';
import type { Author } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import type { NewEvent } from '#storage/tx.ts';

/** Most projects whose rules are cached. */
const maxCached = 10_000;

interface Rule {
  readonly required: boolean;
  readonly pattern: string | null;
  readonly matches: (reason: string) => boolean;
}

/**
 * Rejects a change with 400 when its events change what SDKs of a project get, the project requires a reason, and the
 * request has none or none that matches the project's pattern (docs/spec#change-reasons). Decides from the recorded
 * events, like the guard of change control, so that commands and routes cannot forget the check. The rules are cached,
 * so that the check costs no statement.
 */
export function requireReason({ db, feed }: Pick<Database, 'db' | 'feed'>): BeforeCommit {
  const rules = new ReadThroughCache<Rule>(
    feed,
    (event) => touches(event, 'change-reason-rules'),
    async (id) => {
      const rule = (await findProject(db, id))?.changeReason;
      return rule && { ...rule, matches: rule.pattern === null ? () => true : compilePattern(rule.pattern, false) };
    },
    maxCached,
  );
  return async ({ by }, { events }) => {
    // Changes of the server and of action sets come from no request that could have a reason.
    if (by.origin === undefined) return undefined;
    for (const project of new Set(events.flatMap(changedProjects))) {
      const rule = rules.peek(project) ?? (await rules.get(project));
      if (rule?.required) requireMatch(project, rule, reasonOf(by));
    }
    return undefined;
  };
}

/** Returns the reason that the events of an author have. */
function reasonOf({ reason, breakGlassReason }: Author): string | undefined {
  return reason ?? breakGlassReason;
}

function requireMatch(project: string, { pattern, matches }: Rule, reason: string | undefined): void {
  if (reason !== undefined && matches(reason)) return;
  const message =
    reason === undefined
      ? `${changeReasonHeader} is required in the project ${project}`
      : `${changeReasonHeader} must match the pattern of the project ${project}`;
  const hint = pattern === null ? '' : `. The reason must contain a match of ${pattern}`;
  throw new Problem('BadDataError', `${message}${hint}.`, {
    details: [{ message: `${message}${hint}`, path: changeReasonHeader }],
    extras: { changeReason: { project, pattern } },
  });
}

/**
 * Returns the projects in which an event changes what SDKs get. Switching a flag off and holding it off need no reason,
 * so that an emergency does not wait for a ticket.
 */
function changedProjects({ type, project, data, preData }: NewEvent): string[] {
  if (type === 'feature-environment-disabled' || eventScope({ type, data }) === 'none') return [];
  // Moving a flag or a segment out of a project changes that project too.
  const { oldProject } = (data ?? {}) as { readonly oldProject?: unknown };
  const { project: before } = (preData ?? {}) as { readonly project?: unknown };
  return [project, oldProject, before].filter((id) => typeof id === 'string');
}
