import type { usageRoutes } from '@yardarm/contract';
import { requireFeatureNamed } from '#features/flags/feature/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import { applicationsOf, hourlySince, pagesOfCounts } from './count-queries.ts';
import { type HourlyCount, hourMs } from './counts.ts';
import { presentCount, presentTotals } from './present.ts';

/** A query for more hours than this also returns daily counts. */
const maxHourlyOnly = 48;
const version = { version: 1, maturity: 'stable' } as const;

export function usageHandlers({ db }: Database, clock: Clock): Handlers<typeof usageRoutes> {
  return {
    'GET /api/admin/client-metrics/features/:name': async ({ params: { name }, caller }) => {
      await requireFeatureNamed(db, name, caller);
      const [counts, seenApplications] = await Promise.all([
        hourlySince(db, name, clock.now() - hourMs),
        applicationsOf(db, name),
      ]);
      return {
        status: 200,
        body: { ...version, featureName: name, lastHourUsage: presentTotals(counts), seenApplications },
      };
    },
    'GET /api/admin/client-metrics/features/:name/raw': async ({ params: { name }, query: { hoursBack }, caller }) => {
      await requireFeatureNamed(db, name, caller);
      const since = clock.now() - hoursBack * hourMs;
      const pages = pagesOfCounts(db, name, since, hoursBack > maxHourlyOnly);
      return { status: 200, body: jsonList(version, 'data', toJson(pages)) };
    },
  };
}

async function* toJson(pages: AsyncIterable<readonly HourlyCount[]>): AsyncGenerator<string[]> {
  for await (const page of pages) yield page.map((count) => JSON.stringify(presentCount(count)));
}
