export { acknowledgementRoutes } from './acknowledgements.ts';
export { actionCallRoutes } from './action-calls.ts';
export { type Weekday, weekdays } from './action-conditions.ts';
export { actionMergeRoutes } from './action-merges.ts';
export { actionRunRoutes } from './action-runs.ts';
export { actionRoutes, type actionSetBody, runStates, type runTriggers, setTriggers } from './actions.ts';
export { activityRoutes, type activitySchema } from './activity.ts';
export { allTokenRoutes } from './all-tokens.ts';
export { apiTokenRoutes, apiTokenSchema, apiTokenTypes } from './api-tokens.ts';
export { applicationRoutes, mostInstances, mostSeen } from './applications.ts';
export { acknowledgePermissions, attentionKinds, attentionSubject } from './attention.ts';
export { authSettingsRoutes } from './auth-settings.ts';
export { readableAuthor } from './author-names.ts';
export { overrideRoutes } from './automation-overrides.ts';
export { bannerRoutes } from './banners.ts';
export { changeControlRoutes } from './change-control.ts';
export { changeRequestRoutes, changeRequestStates, openChangeRequestStates } from './change-requests.ts';
export type { ChangeBody } from './changes.ts';
export { connectionRoutes, mostConnections, recentMinutes } from './connections.ts';
export { contextFieldRoutes, projectContextFieldRoutes } from './context-fields.ts';
export { corsRoutes } from './cors.ts';
export { defaultStrategyRoutes } from './default-strategies.ts';
export { edgeRoutes } from './edge.ts';
export { environmentRoutes } from './environments.ts';
export { type EventClass, typesOfEventClass } from './event-classes.ts';
export { eventConsumerRoutes } from './event-consumers.ts';
export { eventCsvHeader, eventCsvRows } from './event-csv.ts';
export { eventData } from './event-data/index.ts';
export { eventExportRoutes } from './event-exports.ts';
export { eventFeedRoutes, feedLimit, feedMediaTypes } from './event-feed.ts';
export { boldName, plainSummary } from './event-summary.ts';
export {
  type AutomationEventType,
  automationEventTypes,
  type EventType,
  eventLabels,
  eventTypes,
} from './event-types.ts';
export { eventOriginSchema, eventRoutes, eventSchema, eventWithOriginSchema } from './events.ts';
export { favoriteRoutes } from './favorites.ts';
export { fieldsIn } from './field-table.ts';
export { firstStepRoutes } from './first-steps.ts';
export { featureArchiveRoutes } from './flag-archive.ts';
export { flagCreatorRoutes } from './flag-creators.ts';
export { featureDependencyRoutes } from './flag-dependencies.ts';
export { featureEnvironmentRoutes } from './flag-environments.ts';
export { type FlagFields, type FlagInput, featureTypeIds, flagFields, initialFlag } from './flag-fields.ts';
export { featureLifecycleRoutes } from './flag-lifecycle.ts';
export { featureLinkRoutes, isWebAddress } from './flag-links.ts';
export { featureSearchRoutes } from './flag-search.ts';
export { featureTagRoutes } from './flag-tags.ts';
export { featureTypeRoutes } from './flag-types.ts';
export { featureVariantRoutes, patchedVariantsSchema } from './flag-variants.ts';
export { featureRoutes, patchedFeatureSchema } from './flags.ts';
export { freezeRoutes } from './freeze.ts';
export { frontendFeaturesSchema, frontendRoutes, notForFrontends } from './frontend.ts';
export { groupRoutes } from './groups.ts';
export { holdEffects } from './hold.ts';
export { holdRoutes } from './holds.ts';
export {
  type AggregationMode,
  type ImpactMetricsReport,
  impactMetricRoutes,
  labelSelectorsSchema,
  type MetricRange,
  type MetricType,
  modesOfType,
} from './impact-metrics.ts';
export { type ImportedData, importedDataSchema } from './import-data-schema.ts';
export { exportResultSchema, importExportRoutes } from './import-export.ts';
export { inactiveUserRoutes } from './inactive-users.ts';
export { type IncidentMark, incidentMarks, incidentRoutes, maxIncidentNotes } from './incidents.ts';
export type { Installation, ParsedInstallation } from './installation.ts';
export { instanceRoutes } from './instance.ts';
export { integrationDeliveryRoutes, signingAlgorithms } from './integration-deliveries.ts';
export { integrationEventPattern, integrationRoutes } from './integrations.ts';
export { interfaceStateRoutes } from './interface-state.ts';
export { inviteLinkRoutes } from './invite-links.ts';
export { bodyBounds, exceededBound, type JsonBounds, largeBodyBounds } from './json-bounds.ts';
export { legalHoldRoutes } from './legal-hold.ts';
export { loginRoutes } from './login.ts';
export { loginHistoryRoutes } from './login-history.ts';
export { compareDecimals, LongNumber, parseExactJson } from './long-number.ts';
export { maintenanceRoutes } from './maintenance.ts';
export { meRoutes } from './me.ts';
export { type MetricChartBody, metricChartRoutes } from './metric-charts.ts';
export { describeValue, firstValueMinutes, isBeyond, nameOfQuery, warnOfShortSteps } from './metric-text.ts';
export { milestoneEffectRoutes } from './milestone-effects.ts';
export { loopSteps, nowLimits, nowRoutes } from './now.ts';
export { bulkEvaluationSchema, ofrepRoutes } from './ofrep.ts';
export { passwordResetRoutes } from './password-reset.ts';
export {
  type BuiltInRole,
  backgroundHeader,
  breakGlassHeader,
  breakGlassPermission,
  changeReasonHeader,
  environmentPermissions,
  everyProjectPermissions,
  longestChangeReason,
  type Permission,
  permissions,
  permissionsOfRole,
  permissionsWithoutEffect,
  projectPermissions,
  projectSettingPermissions,
  rootPermissions,
} from './permissions.ts';
export { personalDashboardRoutes } from './personal-dashboard.ts';
export { personalTokenRoutes } from './personal-tokens.ts';
export { planRehearsalRoutes, rehearsedSteps } from './plan-rehearsals.ts';
export { playgroundRoutes } from './playground.ts';
export { problemSchema } from './problem.ts';
export { projectAccessRoutes } from './project-access.ts';
export { projectInsightsRoutes } from './project-insights.ts';
export { linkTemplatesBody, projectRoutes } from './projects.ts';
export {
  type GateName,
  gateNames,
  type MilestoneBody,
  type MilestoneStrategyBody,
  maxMilestoneStrategies,
  maxMilestones,
} from './release-milestones.ts';
export { releasePlanListRoutes } from './release-plan-list.ts';
export {
  defaultRestMinutes,
  defaultStepDownMinutes,
  planStates,
  type ReleasePlan,
  releasePlanRoutes,
  startTriggers,
} from './release-plans.ts';
export { releaseTemplateRoutes } from './release-templates.ts';
export {
  type ReplicaReport,
  type ReplicaState,
  type ReplicaUpdate,
  replicaStateSchema,
  replicationProtocol,
  replicationRoutes,
  replicaUpdateSchema,
} from './replication.ts';
export { roleRoutes } from './roles.ts';
export type { Access, Check, Method, Payload, RouteKey, RouteSpec, RouteTable } from './route.ts';
export { aliases, type HandledRoutes, handledRoutes, type Routes, routes, routesBySubject } from './routes.ts';
export {
  type Comparison,
  maxSafeguards,
  type RecentQuery,
  type SafeguardAnswer,
  type SafeguardBody,
  safeguardActions,
  safeguardRoutes,
  safeguardStates,
} from './safeguards.ts';
export { applicationName, clientDeltaSchema, clientFeatureSchema, clientFeaturesSchema, sdkRoutes } from './sdk.ts';
export { hasFewFields, readContext, type SdkContext, tooManyFields, wrongField } from './sdk-context.ts';
export { segmentRoutes, strategySegmentRoutes } from './segments.ts';
export { serviceAccountRoutes } from './service-accounts.ts';
export { sessionRoutes } from './sessions.ts';
export {
  type NormalizedSignal,
  type OwnFields,
  ownFieldsSchema,
  type RecognisedFields,
  type RefusalReason,
  redactedPathsSchema,
  refusalReasons,
  type SignalAuthentication,
  type SignalSourceName,
  type SignalState,
  signalSourceRoutes,
  signalStates,
} from './signal-sources.ts';
export { signalSubscriptionRoutes } from './signal-subscriptions.ts';
export { endpointNamePattern, signalEndpointSchema, signalRoutes, signalSchema } from './signals.ts';
export { singleSignOnRoutes } from './single-sign-on.ts';
export { type ParsedState, type State, stateSchema } from './state.ts';
export { stateRoutes } from './state-routes.ts';
export {
  type DefaultStrategyAnswer,
  type DefaultStrategyBody,
  patchedStrategySchema,
  strategyRoutes,
} from './strategies.ts';
export { initialStrategy, type StrategyInput, type StrategyValues, strategyFields } from './strategy-fields.ts';
export { strategyTypeRoutes } from './strategy-types.ts';
export { streamingRoutes } from './streaming.ts';
export { systemRoutes } from './system.ts';
export { tagRoutes } from './tags.ts';
export { featureNameText, filledText, urlFriendly } from './text.ts';
export { unknownFlagRoutes } from './unknown-flags.ts';
export { usageRoutes } from './usage.ts';
export { email, userRoutes } from './users.ts';
export {
  initialVariant,
  type StrategyVariantBody,
  strategyVariantValues,
  variantFields,
  variantSchema,
} from './variant-fields.ts';
