import { badField } from '#kernel/errors.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { NewEvent } from '#storage/tx.ts';
import { notSet } from './query-now.ts';

interface Condition {
  readonly metric?: { readonly impactMetric?: Query | undefined } | undefined;
}

interface Query {
  readonly source?: string | undefined;
}

/** The parts of an event that can contain a query. */
interface Queried extends Query {
  readonly impactMetric?: Query;
  readonly transitionCondition?: Condition | null;
  readonly milestones?: readonly { readonly transitionCondition?: Condition | null }[];
}

/** The events of changes that save queries. */
const saving: ReadonlySet<NewEvent['type']> = new Set([
  'safeguard-changed',
  'impact-metric-created',
  'impact-metric-updated',
  'release-plan-added',
  'milestone-progression-created',
  'milestone-progression-updated',
  'release-plan-template-created',
  'release-plan-template-updated',
]);

/**
 * Rejects a change with 400 when it saves an external query. Used when no Prometheus server is set, because the query
 * would never have a value. Decides from the recorded events, so that no command can forget the check.
 */
export const refuseExternalQueries: BeforeCommit = async (_change, { events }) => {
  for (const { type, data } of events) {
    const path = saving.has(type) ? pathOfExternal(data as Queried) : undefined;
    if (path === undefined) continue;
    throw badField(path, `must be internal: ${notSet}`);
  }
  return undefined;
};

/** Returns the path of the source of an external query in the request; undefined when there is none. */
function pathOfExternal({ source, impactMetric, transitionCondition, milestones = [] }: Queried): string | undefined {
  if (source === 'external') return 'source';
  if (impactMetric?.source === 'external') return 'impactMetric.source';
  if (isExternal(transitionCondition)) return 'transitionCondition.metric.impactMetric.source';
  const index = milestones.findIndex((milestone) => isExternal(milestone.transitionCondition));
  return index === -1 ? undefined : `milestones.${index}.transitionCondition.metric.impactMetric.source`;
}

function isExternal(condition: Condition | null | undefined): boolean {
  return condition?.metric?.impactMetric?.source === 'external';
}
