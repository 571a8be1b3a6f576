import { describeValue, isBeyond } from '@yardarm/contract';
import { describeNoData } from '#features/metrics/impact-metrics/index.ts';
import type { CheckedGate } from './gate.ts';

/** Opens when an impact metric meets its condition, computed from the reports since the milestone started. */
export const metric: CheckedGate = {
  look: async (db, { featureName, condition, startedAt: since }, now, read) => {
    if (condition.metric === undefined) return undefined;
    const { impactMetric: query, condition: comparison } = condition.metric;
    const recent = await read(db, query, { reader: { featureName }, since, now });
    if (recent.value === undefined)
      return { isOpen: false, text: describeNoData(query, recent), pending: recent.pending };
    return { isOpen: isBeyond(comparison, recent.value), text: describeValue(query, comparison, recent.value) };
  },
};
