import { acknowledgementRoutes } from './acknowledgements.ts';
import { actionCallRoutes } from './action-calls.ts';
import { actionMergeRoutes } from './action-merges.ts';
import { actionRunRoutes } from './action-runs.ts';
import { actionRoutes } from './actions.ts';
import { activityRoutes } from './activity.ts';
import { allTokenRoutes } from './all-tokens.ts';
import { apiTokenRoutes } from './api-tokens.ts';
import { applicationRoutes } from './applications.ts';
import { authSettingsRoutes } from './auth-settings.ts';
import { overrideRoutes } from './automation-overrides.ts';
import { bannerRoutes } from './banners.ts';
import { changeControlRoutes } from './change-control.ts';
import { changeRequestRoutes } from './change-requests.ts';
import { connectionRoutes } from './connections.ts';
import { contextFieldRoutes, projectContextFieldRoutes } from './context-fields.ts';
import { corsRoutes } from './cors.ts';
import { defaultStrategyRoutes } from './default-strategies.ts';
import { edgeRoutes } from './edge.ts';
import { environmentRoutes } from './environments.ts';
import { eventConsumerRoutes } from './event-consumers.ts';
import { eventExportRoutes } from './event-exports.ts';
import { eventFeedRoutes } from './event-feed.ts';
import { eventRoutes } from './events.ts';
import { favoriteRoutes } from './favorites.ts';
import { firstStepRoutes } from './first-steps.ts';
import { featureArchiveRoutes } from './flag-archive.ts';
import { flagCreatorRoutes } from './flag-creators.ts';
import { featureDependencyRoutes } from './flag-dependencies.ts';
import { featureEnvironmentRoutes } from './flag-environments.ts';
import { featureLifecycleRoutes } from './flag-lifecycle.ts';
import { featureLinkRoutes } from './flag-links.ts';
import { featureSearchRoutes } from './flag-search.ts';
import { featureTagRoutes } from './flag-tags.ts';
import { featureTypeRoutes } from './flag-types.ts';
import { featureVariantRoutes } from './flag-variants.ts';
import { featureRoutes } from './flags.ts';
import { freezeRoutes } from './freeze.ts';
import { frontendRoutes } from './frontend.ts';
import { groupRoutes } from './groups.ts';
import { holdRoutes } from './holds.ts';
import { impactMetricRoutes } from './impact-metrics.ts';
import { importExportRoutes } from './import-export.ts';
import { inactiveUserRoutes } from './inactive-users.ts';
import { incidentRoutes } from './incidents.ts';
import { instanceRoutes } from './instance.ts';
import { integrationDeliveryRoutes } from './integration-deliveries.ts';
import { integrationRoutes } from './integrations.ts';
import { interfaceStateRoutes } from './interface-state.ts';
import { inviteLinkRoutes } from './invite-links.ts';
import { legalHoldRoutes } from './legal-hold.ts';
import { loginRoutes } from './login.ts';
import { loginHistoryRoutes } from './login-history.ts';
import { maintenanceRoutes } from './maintenance.ts';
import { meRoutes } from './me.ts';
import { metricChartRoutes } from './metric-charts.ts';
import { milestoneEffectRoutes } from './milestone-effects.ts';
import { nowRoutes } from './now.ts';
import { ofrepRoutes } from './ofrep.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { personalDashboardRoutes } from './personal-dashboard.ts';
import { personalTokenRoutes } from './personal-tokens.ts';
import { planRehearsalRoutes } from './plan-rehearsals.ts';
import { playgroundRoutes } from './playground.ts';
import { projectAccessRoutes } from './project-access.ts';
import { projectInsightsRoutes } from './project-insights.ts';
import { projectRoutes } from './projects.ts';
import { releasePlanListRoutes } from './release-plan-list.ts';
import { releasePlanRoutes } from './release-plans.ts';
import { releaseTemplateRoutes } from './release-templates.ts';
import { replicationRoutes } from './replication.ts';
import { roleRoutes } from './roles.ts';
import type { RouteSpec, RouteTable } from './route.ts';
import { safeguardRoutes } from './safeguards.ts';
import { sdkRoutes } from './sdk.ts';
import { segmentRoutes, strategySegmentRoutes } from './segments.ts';
import { serviceAccountRoutes } from './service-accounts.ts';
import { sessionRoutes } from './sessions.ts';
import { signalSourceRoutes } from './signal-sources.ts';
import { signalSubscriptionRoutes } from './signal-subscriptions.ts';
import { signalRoutes } from './signals.ts';
import { singleSignOnRoutes } from './single-sign-on.ts';
import { stateRoutes } from './state-routes.ts';
import { strategyRoutes } from './strategies.ts';
import { strategyTypeRoutes } from './strategy-types.ts';
import { streamingRoutes } from './streaming.ts';
import { systemRoutes } from './system.ts';
import { tagRoutes } from './tags.ts';
import { unknownFlagRoutes } from './unknown-flags.ts';
import { usageRoutes } from './usage.ts';
import { userRoutes } from './users.ts';

const asCode = {
  ...stateRoutes,
  ...importExportRoutes,
} as const;

const review = {
  ...changeRequestRoutes,
  ...playgroundRoutes,
  ...nowRoutes,
} as const;

const integrations = {
  ...integrationRoutes,
  ...integrationDeliveryRoutes,
  ...acknowledgementRoutes,
} as const;

const automation = {
  ...actionRoutes,
  ...actionRunRoutes,
  ...actionCallRoutes,
  ...actionMergeRoutes,
  ...incidentRoutes,
  ...planRehearsalRoutes,
} as const;

const releases = {
  ...releasePlanRoutes,
  ...releasePlanListRoutes,
  ...releaseTemplateRoutes,
  ...safeguardRoutes,
  ...milestoneEffectRoutes,
} as const;

const log = {
  ...eventRoutes,
  ...eventFeedRoutes,
  ...eventConsumerRoutes,
  ...activityRoutes,
  ...personalDashboardRoutes,
} as const;

const sdks = {
  ...sdkRoutes,
  ...streamingRoutes,
  ...replicationRoutes,
  ...frontendRoutes,
  ...ofrepRoutes,
  ...usageRoutes,
  ...applicationRoutes,
  ...connectionRoutes,
  ...unknownFlagRoutes,
} as const;

const metrics = {
  ...impactMetricRoutes,
  ...metricChartRoutes,
} as const;

const flags = {
  ...featureRoutes,
  ...featureSearchRoutes,
  ...featureArchiveRoutes,
  ...featureDependencyRoutes,
  ...featureEnvironmentRoutes,
  ...featureLifecycleRoutes,
  ...featureLinkRoutes,
  ...featureTagRoutes,
  ...featureVariantRoutes,
  ...featureTypeRoutes,
  ...flagCreatorRoutes,
  ...favoriteRoutes,
  ...strategyRoutes,
  ...defaultStrategyRoutes,
  ...strategyTypeRoutes,
  ...segmentRoutes,
  ...strategySegmentRoutes,
  ...contextFieldRoutes,
  ...projectContextFieldRoutes,
  ...tagRoutes,
  ...changeControlRoutes,
  ...projectInsightsRoutes,
  ...holdRoutes,
  ...overrideRoutes,
  ...freezeRoutes,
} as const;

const projects = {
  ...projectRoutes,
  ...environmentRoutes,
  ...roleRoutes,
  ...projectAccessRoutes,
} as const;

const signals = {
  ...signalRoutes,
  ...signalSourceRoutes,
  ...signalSubscriptionRoutes,
  ...instanceRoutes,
  ...firstStepRoutes,
} as const;

const people = {
  ...apiTokenRoutes,
  ...edgeRoutes,
  ...allTokenRoutes,
  ...personalTokenRoutes,
  ...loginRoutes,
  ...singleSignOnRoutes,
  ...authSettingsRoutes,
  ...loginHistoryRoutes,
  ...meRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...inactiveUserRoutes,
  ...passwordResetRoutes,
  ...inviteLinkRoutes,
  ...serviceAccountRoutes,
  ...groupRoutes,
} as const;

const platform = {
  ...eventExportRoutes,
  ...maintenanceRoutes,
  ...legalHoldRoutes,
  ...corsRoutes,
  ...bannerRoutes,
  ...interfaceStateRoutes,
  ...systemRoutes,
} as const;

/**
 * The types of the routes with a handler of their own, by part: the type of one table would be too long for the
 * compiler to write its declaration.
 */
export type HandledRoutes = typeof asCode &
  typeof review &
  typeof integrations &
  typeof automation &
  typeof releases &
  typeof log &
  typeof sdks &
  typeof metrics &
  typeof flags &
  typeof projects &
  typeof signals &
  typeof people &
  typeof platform;

/** The routes with a handler of their own, by the subject of their feature, top first as in the server. */
export const routesBySubject: Readonly<Record<string, Readonly<Record<string, RouteSpec>>>> = {
  'as-code': asCode,
  review,
  integrations,
  automation,
  releases,
  log,
  sdks,
  metrics,
  flags,
  projects,
  signals,
  people,
  platform,
};

/** The routes with a handler of their own: all but the aliases. */
export const handledRoutes: HandledRoutes = {
  ...asCode,
  ...review,
  ...integrations,
  ...automation,
  ...releases,
  ...log,
  ...sdks,
  ...metrics,
  ...flags,
  ...projects,
  ...signals,
  ...people,
  ...platform,
};

/** Returns the spec of a second path of a route. It has the type of the route, because both have the same handler. */
function aliasOf<Key extends keyof HandledRoutes>(key: Key): HandledRoutes[Key] {
  return { ...handledRoutes[key], aliasOf: key, description: `An alias of \`${key}\`, for clients of Unleash.` };
}

/** Second paths of routes, which only clients of Unleash use. Each names its parameters as the route does. */
export const aliases = {
  'GET /internal-backstage/prometheus': aliasOf('GET /metrics'),
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans': aliasOf(
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans',
  ),
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans': aliasOf(
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans',
  ),
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans/:planId':
    aliasOf(
      'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId',
    ),
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans/:planId/milestones/:milestoneId/start':
    aliasOf(
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start',
    ),
} as const satisfies RouteTable;

/** The types of all routes. */
export type Routes = HandledRoutes & typeof aliases;

/** All routes of the service. Handlers, the reference, permissions and tests are derived from this table. */
export const routes: Routes = { ...handledRoutes, ...aliases };
