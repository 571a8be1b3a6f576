import type { RecentQuery } from '@yardarm/contract';
import type { Milestone } from './milestone.ts';
import type { Template } from './template.ts';

/**
 * Returns the milestones of a template for a plan in an environment. A gate on a metric that SDKs report reads the
 * metric in that environment, unless the template names environments: a plan in production must not advance because of
 * values from development.
 */
export function milestonesIn({ milestones }: Template, environment: string): Milestone[] {
  return milestones.map((milestone) => {
    const { transitionCondition } = milestone;
    if (transitionCondition?.metric === undefined) return milestone;
    const { impactMetric, condition } = transitionCondition.metric;
    const metric = { impactMetric: readIn(impactMetric, environment), condition };
    return { ...milestone, transitionCondition: { ...transitionCondition, metric } };
  });
}

function readIn(query: RecentQuery, environment: string): RecentQuery {
  if (query.source === 'external') return query;
  const withLabel = <Part extends Pick<RecentQuery, 'labelSelectors'>>(part: Part): Part => ({
    ...part,
    labelSelectors: { environment: [environment], ...part.labelSelectors },
  });
  const { dividedBy } = query;
  return { ...withLabel(query), ...(dividedBy === undefined ? {} : { dividedBy: withLabel(dividedBy) }) };
}
