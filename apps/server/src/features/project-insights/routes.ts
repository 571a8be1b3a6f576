import type { projectInsightsRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { Clock } from '../../kernel/clock.ts';
import { jsonList } from '../../kernel/json-list.ts';
import type { Database } from '../../storage/database.ts';
import { featuresAsText, pagesOfFeatures } from '../flags/index.ts';
import {
  daysToProduction,
  type FlagStatistics,
  type LeadTime,
  noFlags,
  type ProjectFlags,
  projectOverview,
  type ReviewedIn,
  requireProject,
} from '../projects/index.ts';

export interface InsightsParts {
  readonly database: Pick<Database, 'db'>;
  readonly clock: Clock;
  readonly flags: ProjectFlags;
  readonly reviewedIn: ReviewedIn;
}

/** How projects are doing, in numbers: constantly many statements, but for the list of flags. */
export function projectInsightsHandlers({
  database: { db },
  clock,
  flags,
  reviewedIn,
}: InsightsParts): Handlers<typeof projectInsightsRoutes> {
  const statisticsOf = async (project: string) =>
    (await flags.statistics(db, clock.now(), project)).get(project) ?? noFlags;
  return {
    'GET /api/admin/projects/:projectId/health-report': async ({ params: { projectId }, caller }) => {
      const overview = await projectOverview({ db, flags, reviewedIn, now: clock.now() }, projectId, caller);
      const {
        technicalDebt: _d,
        archivedAt: _a,
        linkTemplates: _l,
        featureTypeCounts: _t,
        onboardingStatus: _o,
        ...report
      } = overview;
      const head = { ...report, ...countsOf(await statisticsOf(projectId)) };
      const pages = pagesOfFeatures(db, projectId, caller.actor.userId);
      return { status: 200, body: jsonList(head, 'features', featuresAsText(pages)) };
    },
    'GET /api/admin/projects/:projectId/insights': async ({ params: { projectId }, caller }) => {
      const [overview, statistics, times] = await Promise.all([
        projectOverview({ db, flags, reviewedIn, now: clock.now() }, projectId, caller),
        statisticsOf(projectId),
        flags.leadTimes(db, projectId),
      ]);
      const { stats, health: rating, featureTypeCounts, members } = overview;
      return {
        status: 200,
        body: {
          stats,
          health: { rating, ...countsOf(statistics) },
          leadTime: presentLeadTime(times),
          featureTypeCounts,
          members: { currentMembers: members, change: stats.projectMembersAddedCurrentWindow },
        },
      };
    },
    'GET /api/admin/projects/:projectId/dora': async ({ params: { projectId } }) => {
      await requireProject(db, projectId);
      return { status: 200, body: presentLeadTime(await flags.leadTimes(db, projectId)) };
    },
  };
}

function countsOf({ active, stale, potentiallyStale }: FlagStatistics) {
  return {
    activeCount: active - stale - potentiallyStale,
    potentiallyStaleCount: potentiallyStale,
    staleCount: stale,
  };
}

function presentLeadTime(times: readonly LeadTime[]) {
  const msToLive = times.reduce((sum, one) => sum + one.msToLive, 0);
  return {
    projectAverage: daysToProduction({ live: times.length, msToLive }),
    features: times.map((one) => ({
      name: one.name,
      timeToProduction: daysToProduction({ live: 1, msToLive: one.msToLive }),
    })),
  };
}
