import { type applicationRoutes, type connectionRoutes, mostInstances, mostSeen } from '@yardarm/contract';
import { listStrategyTypes } from '#features/flags/strategy-types/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { authorOf } from '#http/request.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import type { Application } from './application.ts';
import { describeApplication, forgetApplication } from './commands.ts';
import { connectionHandlers } from './connection-routes.ts';
import {
  presentApplication,
  presentOfProject,
  presentOutdated,
  presentOverview,
  presentStrategies,
  withoutNull,
} from './present.ts';
import * as queries from './queries.ts';
import { missingFlagsOf } from './unknown-flags.ts';

export function applicationHandlers(
  database: Database,
  clock: Clock,
): Handlers<typeof applicationRoutes & typeof connectionRoutes> {
  const { db, write } = database;
  return {
    ...connectionHandlers(database, clock),
    'GET /api/admin/metrics/applications': async ({ query, caller }) => {
      const { page, total } = await queries.listApplications(db, query, caller.hidden);
      return { status: 200, body: { applications: await presented(db, page, caller, clock.now()), total } };
    },
    'GET /api/admin/metrics/applications/:appName': async ({ params, caller }) => {
      const application = await requireApplication(db, params.appName, caller);
      const { appName, strategies } = application;
      const [[shown], definitions, instances, flags] = await Promise.all([
        presented(db, [application], caller, clock.now()),
        listStrategyTypes(db),
        queries.recentInstances(db, caller, { appName }, clock.now(), mostInstances),
        queries.flagsOf(db, appName, caller.hidden),
      ]);
      const body = {
        ...(shown as NonNullable<typeof shown>),
        strategies: presentStrategies(strategies, definitions),
        instances: instances.map(presentInstanceSomewhere),
        seenToggles: flags.map(({ name, project }) => ({ name, project })),
        links: { self: `/api/admin/metrics/applications/${encodeURIComponent(appName)}` },
      };
      return { status: 200, body };
    },
    'POST /api/admin/metrics/applications/:appName': async ({ params, body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => describeApplication(tx, params.appName, body));
      return { status: 202 };
    },
    'DELETE /api/admin/metrics/applications/:appName': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => forgetApplication(tx, params.appName));
      return { status: 200 };
    },
    'GET /api/admin/metrics/applications/:appName/overview': async ({ params: { appName }, caller }) => {
      const { strategies } = await requireApplication(db, appName, caller);
      const [flags, groups, missing, missingStrategies] = await Promise.all([
        queries.flagsOf(db, appName, caller.hidden),
        queries.instanceGroups(db, caller, [appName], clock.now()),
        missingFlagsOf(db, appName, caller),
        queries.missingStrategies(db, strategies),
      ]);
      return { status: 200, body: presentOverview(flags, groups, missing, missingStrategies) };
    },
    'GET /api/admin/metrics/instances/:appName/environment/:environment': async ({ params, caller }) => {
      await requireApplication(db, params.appName, caller);
      const instances = await queries.recentInstances(db, caller, params, clock.now(), mostSeen);
      return { status: 200, body: { instances: instances.map(presentInstance) } };
    },
    'GET /api/admin/metrics/sdks/outdated': async ({ caller }) => ({
      status: 200,
      body: { sdks: presentOutdated(await queries.sdksInUse(db, clock.now(), caller.hidden)) },
    }),
    'GET /api/admin/projects/:projectId/applications': async ({ params: { projectId }, query, caller }) => {
      await requireProject(db, projectId);
      const { names, total } = await queries.applicationsOfProject(db, projectId, query);
      const everywhere = await queries.usageOf(db, names, caller.hidden);
      const usage = everywhere.filter(({ project }) => project === projectId);
      const [instances, sdkVersions] = await Promise.all([
        queries.seenOf(db, { project: projectId }, 'instance_id', usage, clock.now()),
        queries.seenOf(db, { project: projectId }, 'sdk_version', usage, clock.now()),
      ]);
      return { status: 200, body: { total, applications: presentOfProject(names, usage, instances, sdkVersions) } };
    },
    'GET /api/admin/projects/:projectId/sdks/outdated': async ({ params: { projectId }, caller }) => {
      await requireProject(db, projectId);
      const inUse = await queries.sdksInUse(db, clock.now(), caller.hidden, projectId);
      return { status: 200, body: { sdks: presentOutdated(inUse) } };
    },
  };
}

async function requireApplication(db: Db, appName: string, caller: Identity): Promise<Application> {
  const application = await queries.findInView(db, appName, caller.hidden);
  if (application === undefined) throw new Problem('NotFoundError', `There is no application ${appName}.`);
  return application;
}

async function presented(db: Db, page: readonly Application[], caller: Identity, now: number) {
  const names = page.map(({ appName }) => appName);
  const [usage, groups] = await Promise.all([
    queries.usageOf(db, names, caller.hidden),
    queries.instanceGroups(db, caller, names, now),
  ]);
  const [usageOf, groupsOf] = [Map.groupBy(usage, nameOf), Map.groupBy(groups, nameOf)];
  return page.map((application) =>
    presentApplication(application, usageOf.get(application.appName) ?? [], groupsOf.get(application.appName) ?? []),
  );
}

function nameOf({ appName }: { readonly appName: string }): string {
  return appName;
}

function presentInstanceSomewhere(instance: Awaited<ReturnType<typeof queries.recentInstances>>[number]) {
  return {
    instanceId: instance.instance_id,
    environment: instance.environment,
    sdkVersion: instance.sdk_version,
    clientIp: instance.address,
    lastSeen: isoTime(instance.last_seen_at),
  };
}

function presentInstance(instance: Awaited<ReturnType<typeof queries.recentInstances>>[number]) {
  return {
    instanceId: instance.instance_id,
    ...withoutNull({ sdkVersion: instance.sdk_version, clientIp: instance.address }),
    lastSeen: isoTime(instance.last_seen_at),
  };
}
