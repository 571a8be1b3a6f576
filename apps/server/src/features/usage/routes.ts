import type { usageRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { requireFeatureNamed } from '../flags/index.ts';
import { applicationsOf, countsSince } from './count-queries.ts';
import { presentCount, presentTotals } from './present.ts';

const hourMs = 60 * 60 * 1000;
const version = { version: 1, maturity: 'stable' } as const;

export function usageHandlers({ db }: Database, clock: Clock): Handlers<typeof usageRoutes> {
  return {
    'GET /api/admin/client-metrics/features/:name': async ({ params: { name }, caller }) => {
      await requireFeatureNamed(db, name, caller);
      const [counts, seenApplications] = await Promise.all([
        countsSince(db, name, clock.now() - hourMs),
        applicationsOf(db, name),
      ]);
      return {
        status: 200,
        body: { ...version, featureName: name, lastHourUsage: presentTotals(counts), seenApplications },
      };
    },
    'GET /api/admin/client-metrics/features/:name/raw': async ({ params: { name }, query: { hoursBack }, caller }) => {
      await requireFeatureNamed(db, name, caller);
      const counts = await countsSince(db, name, clock.now() - hoursBack * hourMs);
      return { status: 200, body: { ...version, data: counts.map(presentCount) } };
    },
  };
}
