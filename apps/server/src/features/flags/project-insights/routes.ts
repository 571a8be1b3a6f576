import type { projectInsightsRoutes } from '@yardarm/contract';
import { featuresAsJsonText, pagesOfFeatures } from '#features/flags/reading/index.ts';
import {
  countMembers,
  daysToProduction,
  type FlagStatistics,
  healthOf,
  type LeadTime,
  noFlags,
  type ProjectFlags,
  projectOverview,
  type ReviewedIn,
  requireProject,
} from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import { eventsByDay } from '#storage/event-days.ts';
import { sql } from '#storage/tx.ts';

const daysOfActivity = 365;
const recentMs = 30 * 24 * 60 * 60 * 1000;

export interface InsightsParts {
  readonly database: Pick<Database, 'db'>;
  readonly clock: Clock;
  readonly flags: ProjectFlags;
  readonly reviewedIn: ReviewedIn;
}

/**
 * Returns the handlers that show the health and activity of projects. The number of statements is constant, except for
 * the list of flags, which is read in pages.
 */
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
      const { archivedAt: _a, linkTemplates: _l, featureTypeCounts: _t, onboardingStatus: _o, ...report } = overview;
      const head = { ...report, ...countsOf(await statisticsOf(projectId)) };
      const pages = pagesOfFeatures(db, projectId, caller.actor.userId);
      return { body: jsonList(head, 'features', featuresAsJsonText(pages)) };
    },
    'GET /api/admin/projects/:projectId/insights': async ({ params: { projectId }, caller }) => {
      const [overview, statistics, times] = await Promise.all([
        projectOverview({ db, flags, reviewedIn, now: clock.now() }, projectId, caller),
        statisticsOf(projectId),
        flags.leadTimes(db, projectId),
      ]);
      const { stats, health: rating, technicalDebt, featureTypeCounts, members } = overview;
      return {
        body: {
          stats,
          health: { rating, ...countsOf(statistics) },
          technicalDebt: { rating: technicalDebt, ...countsOf(statistics) },
          leadTime: presentLeadTime(times),
          featureTypeCounts,
          members: { currentMembers: members, change: stats.projectMembersAddedCurrentWindow },
        },
      };
    },
    'GET /api/admin/projects/:projectId/status': async ({ params: { projectId } }) => {
      await requireProject(db, projectId);
      const now = clock.now();
      const [members, { apiTokens, segments }, days, statistics, lifecycle] = await Promise.all([
        countMembers(db, projectId),
        countResources(db, projectId),
        eventsByDay(db, projectId, daysOfActivity, now),
        statisticsOf(projectId),
        flags.lifecycle(db, projectId, now - recentMs),
      ]);
      const { archived, ...stages } = lifecycle;
      const health = healthOf(statistics);
      return {
        body: {
          resources: { members: members.get(projectId) ?? 0, apiTokens, segments },
          activityCountByDate: days.map(({ day, total }) => ({ date: isoTime(day).slice(0, 10), count: total })),
          health: { current: health },
          technicalDebt: { current: 100 - health },
          lifecycleSummary: {
            ...stages,
            archived: { currentFlags: archived.currentFlags, last30Days: archived.archivedSince },
          },
          staleFlags: { total: statistics.stale + statistics.potentiallyStale },
        },
      };
    },
    'GET /api/admin/projects/:projectId/dora': async ({ params: { projectId } }) => {
      await requireProject(db, projectId);
      return { body: presentLeadTime(await flags.leadTimes(db, projectId)) };
    },
  };
}

/** Counts the API tokens and the segments of a project, with one statement. */
async function countResources(db: Database['db'], project: string): Promise<{ apiTokens: number; segments: number }> {
  const { rows } = await sql<{ apiTokens: number; segments: number }>`select
    (select count(*) from api_token_projects where project = ${project}) as "apiTokens",
    (select count(*) from segments where project = ${project}) as segments`.execute(db);
  return rows[0] as { apiTokens: number; segments: number };
}

function countsOf({ active, stale, potentiallyStale }: FlagStatistics) {
  return {
    activeCount: active - stale - potentiallyStale,
    potentiallyStaleCount: potentiallyStale,
    staleCount: stale,
  };
}

function presentLeadTime(times: readonly LeadTime[]) {
  const msToLive = times.reduce((sum, time) => sum + time.msToLive, 0);
  return {
    projectAverage: daysToProduction({ live: times.length, msToLive }),
    features: times.map((time) => ({
      name: time.name,
      timeToProduction: daysToProduction({ live: 1, msToLive: time.msToLive }),
    })),
  };
}
