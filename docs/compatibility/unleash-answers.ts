/**
 * Shapes of answers of Unleash 8.2.0 (OSS): for each call the paths of the fields, with the types that were seen. `[]`
 * is every element of a list. Values are left out.
 */
export const unleashAnswers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /api/admin/ui-config': {
    array: '.frontendApiOrigins',
    boolean:
      '.disablePasswordAuth .emailEnabled .maintenanceMode .prometheusAPIAvailable .storiesPageEnabled .versionInfo.isLatest',
    number:
      '.maxSessionsCount .resourceLimits.actionSetActions .resourceLimits.actionSetFilterValues .resourceLimits.actionSetFilters .resourceLimits.actionSetsPerProject .resourceLimits.apiTokens .resourceLimits.constraintValues .resourceLimits.constraints .resourceLimits.environments .resourceLimits.featureEnvironmentStrategies .resourceLimits.featureFlags .resourceLimits.projects .resourceLimits.releaseTemplates .resourceLimits.segmentValues .resourceLimits.segments .resourceLimits.signalEndpoints .resourceLimits.signalTokensPerEndpoint .resourceLimits.strategySegments',
    object: '. .flags .resourceLimits .unleashContext .versionInfo .versionInfo.current .versionInfo.latest',
    string:
      '.authenticationType .baseUriPath .environment .frontendApiOrigins[] .impactMetrics .unleashUrl .version .versionInfo.current.enterprise .versionInfo.current.oss .versionInfo.instanceId',
  },
  'GET /api/admin/instance-admin/statistics': {
    array: '.clientApps',
    boolean: '.OIDCenabled .SAMLenabled .SCIMenabled .passwordAuthEnabled',
    number:
      '.activeUsers.last30 .activeUsers.last60 .activeUsers.last7 .activeUsers.last90 .apiTokens.admin .apiTokens.backend .apiTokens.client .apiTokens.frontend .archivedFeatureToggles .clientApps[].count .contextFields .customRootRoles .customRootRolesInUse .environments .featureExports .featureImports .featureToggles .groups .licensedUsers .maxConstraintValues .maxConstraints .maxEnvironmentStrategies .previousDayMetricsBucketsCount.enabledCount .previousDayMetricsBucketsCount.variantCount .productionChanges.last30 .productionChanges.last60 .productionChanges.last90 .projects .readOnlyUsers .releasePlans .releaseTemplates .roles .segments .serviceAccounts .strategies .users',
    object:
      '. .activeUsers .apiTokens .clientApps[] .edgeInstanceUsage .previousDayMetricsBucketsCount .productionChanges',
    string: '.clientApps[].range .instanceId .sum .timestamp .versionEnterprise .versionOSS',
  },
  'GET /api/admin/projects': {
    array: '.projects .projects[].owners',
    null: '.projects[].archivedAt',
    'null | string': '.projects[].description',
    number:
      '.projects[].cleanupCount .projects[].featureCount .projects[].health .projects[].memberCount .projects[].technicalDebt .version',
    object: '. .projects[] .projects[].onboardingStatus .projects[].owners[]',
    string:
      '.projects[].createdAt .projects[].id .projects[].lastReportedFlagUsage .projects[].lastUpdatedAt .projects[].mode .projects[].name .projects[].onboardingStatus.status .projects[].owners[].ownerType',
  },
  'GET /api/admin/projects/{project}/overview': {
    array: '.environments .environments[].defaultStrategy.constraints .featureTypeCounts .linkTemplates',
    boolean: '.favorite',
    null: '.featureLimit .featureNaming.example .featureNaming.pattern',
    'null | string': '.description .featureNaming.description',
    number:
      '.featureTypeCounts[].count .health .members .stats.archivedCurrentWindow .stats.archivedPastWindow .stats.avgTimeToProdCurrentWindow .stats.createdCurrentWindow .stats.createdPastWindow .stats.projectActivityCurrentWindow .stats.projectActivityPastWindow .stats.projectMembersAddedCurrentWindow .technicalDebt .version',
    object:
      '. .environments[] .environments[].defaultStrategy .environments[].defaultStrategy.parameters .featureNaming .featureTypeCounts[] .onboardingStatus .stats',
    string:
      '.createdAt .defaultStickiness .environments[].defaultStrategy.name .environments[].environment .featureTypeCounts[].type .mode .name .onboardingStatus.status .updatedAt',
  },
  'GET /api/admin/environments': {
    array: '.environments',
    boolean: '.environments[].enabled .environments[].protected',
    null: '.environments[].requiredApprovals',
    number:
      '.environments[].apiTokenCount .environments[].enabledToggleCount .environments[].projectCount .environments[].sortOrder .version',
    object: '. .environments[]',
    string: '.environments[].name .environments[].type',
  },
  'GET /api/admin/feature-types': {
    array: '.types',
    'null | number': '.types[].lifetimeDays',
    'null | string': '.types[].description',
    number: '.version',
    object: '. .types[]',
    string: '.types[].id .types[].name',
  },
  'GET /api/admin/tags': {
    array: '.tags',
    number: '.version',
    object: '. .tags[]',
    string: '.tags[].type .tags[].value',
  },
  'GET /api/admin/user-admin': {
    array: '.rootRoles .users',
    null: '.users[].companyRole .users[].productUpdatesEmailConsent .users[].scimId .users[].seatType',
    'null | string': '.rootRoles[].description .users[].seenAt',
    number: '.rootRoles[].id .users[].id .users[].loginAttempts .users[].rootRole',
    object: '. .rootRoles[] .users[]',
    string:
      '.rootRoles[].name .rootRoles[].type .users[].accountType .users[].createdAt .users[].email .users[].imageUrl .users[].inviteLink .users[].name .users[].username',
  },
  'GET /api/admin/api-tokens': {
    array: '.tokens .tokens[].projects',
    boolean: '.tokens[].secure',
    null: '.tokens[].alias',
    'null | string': '.tokens[].expiresAt .tokens[].seenAt',
    object: '. .tokens[]',
    string:
      '.tokens[].createdAt .tokens[].environment .tokens[].project .tokens[].projects[] .tokens[].secret .tokens[].tokenName .tokens[].type',
  },
  'GET /api/admin/metrics/applications': {
    array: '.applications .applications[].strategies .applications[].usage .applications[].usage[].environments',
    null: '.applications[].color .applications[].icon .applications[].url',
    'null | string': '.applications[].description',
    number: '.total',
    object: '. .applications[] .applications[].usage[]',
    string:
      '.applications[].appName .applications[].createdAt .applications[].createdBy .applications[].environment .applications[].project .applications[].strategies[] .applications[].updatedAt .applications[].usage[].environments[] .applications[].usage[].project',
  },
  'GET /api/admin/context': {
    array: '. [].legalValues',
    boolean: '[].stickiness',
    'null | string': '[].description [].legalValues[].description',
    number: '[].sortOrder [].usedInFeatures [].usedInProjects',
    object: '[] [].legalValues[]',
    string: '[].createdAt [].legalValues[].value [].name',
  },
  'GET /api/admin/context?include=root': {
    array: '. [].legalValues',
    boolean: '[].stickiness',
    'null | string': '[].description [].legalValues[].description',
    number: '[].sortOrder [].usedInFeatures [].usedInProjects',
    object: '[] [].legalValues[]',
    string: '[].createdAt [].legalValues[].value [].name',
  },
  'GET /api/admin/strategies': {
    array: '.strategies .strategies[].parameters',
    boolean: '.strategies[].deprecated .strategies[].editable .strategies[].parameters[].required',
    null: '.strategies[].title',
    'null | string': '.strategies[].description .strategies[].displayName .strategies[].parameters[].description',
    number: '.version',
    object: '. .strategies[] .strategies[].parameters[]',
    string: '.strategies[].name .strategies[].parameters[].name .strategies[].parameters[].type',
  },
  'GET /api/admin/projects/{project}/features': {
    array: '.features .features[].environments .features[].tags',
    boolean:
      '.features[].environments[].enabled .features[].environments[].hasEnabledStrategies .features[].environments[].hasStrategies .features[].favorite .features[].impressionData .features[].stale',
    'null | string': '.features[].description .features[].environments[].lastSeenAt',
    number: '.features[].environments[].sortOrder .features[].environments[].variantCount .version',
    object: '. .features[] .features[].environments[] .features[].tags[]',
    string:
      '.features[].createdAt .features[].environments[].name .features[].environments[].type .features[].name .features[].tags[].type .features[].tags[].value .features[].type',
  },
  'GET /api/admin/search/features?project=IS:{project}&limit=20': {
    array:
      '.features .features[].environments .features[].environments[].changeRequestIds .features[].segments .features[].tags',
    boolean:
      '.features[].environments[].enabled .features[].environments[].hasEnabledStrategies .features[].environments[].hasStrategies .features[].favorite .features[].impressionData .features[].stale',
    null: '.features[].archivedAt',
    'null | string':
      '.features[].dependencyType .features[].description .features[].environments[].lastSeenAt .features[].tags[].color',
    number:
      '.features[].createdBy.id .features[].environments[].no .features[].environments[].sortOrder .features[].environments[].variantCount .features[].environments[].yes .total',
    object: '. .features[] .features[].createdBy .features[].environments[] .features[].lifecycle .features[].tags[]',
    string:
      '.features[].createdAt .features[].createdBy.imageUrl .features[].createdBy.name .features[].environments[].name .features[].environments[].type .features[].lifecycle.enteredStageAt .features[].lifecycle.stage .features[].name .features[].project .features[].segments[] .features[].tags[].type .features[].tags[].value .features[].type',
  },
  'GET /api/admin/projects/{project}/features/{flag}': {
    array:
      '.children .collaborators.users .dependencies .environments .environments[].strategies .environments[].strategies[].constraints .environments[].strategies[].segments .links',
    boolean:
      '.archived .dependencies[].enabled .environments[].enabled .environments[].strategies[].disabled .impressionData .stale',
    'null | string': '.description .environments[].lastSeenAt .environments[].strategies[].title .lifecycle.status',
    number:
      '.collaborators.users[].id .createdBy.id .environments[].no .environments[].sortOrder .environments[].strategies[].segments[] .environments[].strategies[].sortOrder .environments[].yes',
    object:
      '. .collaborators .collaborators.users[] .createdBy .dependencies[] .environments[] .environments[].strategies[] .environments[].strategies[].constraints[] .environments[].strategies[].parameters .lifecycle',
    string:
      '.collaborators.users[].imageUrl .collaborators.users[].name .createdAt .createdBy.imageUrl .createdBy.name .dependencies[].feature .environments[].name .environments[].strategies[].id .environments[].strategies[].name .environments[].type .lifecycle.enteredStageAt .lifecycle.stage .name .project .type',
  },
  'GET /api/admin/features/{flag}/tags': {
    array: '.tags',
    'null | string': '.tags[].color',
    number: '.version',
    object: '. .tags[]',
    string: '.tags[].type .tags[].value',
  },
  'GET /api/admin/tag-types/simple': {
    'null | string': '.tagType.icon',
    number: '.version',
    object: '.tagType',
    string: '.tagType.name',
  },
  'GET /api/admin/flag-creators': {
    array: '.flagCreators',
    number: '.flagCreators[].id .total',
    string: '.flagCreators[].name',
  },
  'GET /api/admin/user-admin/search?q=admin': {
    array: '.',
    number: '[].id',
    string: '[].username',
  },
  'GET /api/admin/user-admin/1': {
    null: '.companyRole .productUpdatesEmailConsent .scimId .seatType',
    string: '.imageUrl',
  },
  'GET /api/admin/metrics/applications/{app}': {
    array: '.instances .seenToggles .strategies[].parameters',
    boolean: '.strategies[].deprecated .strategies[].editable',
    'null | string': '.color .description .icon .strategies[].displayName .strategies[].title .url',
    object: '.links',
    string: '.instances[].instanceId .strategies[].description .strategies[].name',
  },
  'GET /api/admin/metrics/applications/{app}/overview': {
    array: '.environments[].backendSdks .environments[].frontendSdks .environments[].sdks',
    string: '.environments[].backendSdks[]',
  },
  'GET /api/admin/metrics/unknown-flags': {
    'null | string': '.unknownFlags[].lastEventAt',
    string:
      '.unknownFlags[].reports[].appName .unknownFlags[].reports[].environments[].environment .unknownFlags[].reports[].environments[].seenAt',
  },
  'GET /api/admin/projects/{project}/applications?sortBy=createdAt': {
    array: '.applications[].environments .applications[].instances .applications[].sdks[].versions',
    number: '.total',
    string: '.applications[].name',
  },
  'GET /api/admin/projects/{project}/status': {
    'null | number': '.lifecycleSummary.initial.averageDays',
    number:
      '.activityCountByDate[].count .health.current .lifecycleSummary.archived.last30Days .resources.apiTokens .resources.members .resources.segments .staleFlags.total .technicalDebt.current',
    string: '.activityCountByDate[].date',
  },
  'GET /api/admin/projects/{project}/context?include=root': {
    array: '.',
  },
  'GET /api/admin/projects/{project}/features/no-such-flag/parent-variants': {
    array: '.',
  },
  'GET /api/admin/projects/{project}/health-report': {
    number: '.features[].environments[].variantCount .technicalDebt',
  },
  'GET /api/admin/projects/{project}/insights': {
    object: '.technicalDebt',
  },
  'GET /api/admin/addons': {
    string: '.providers[].howTo',
  },
  'GET /api/admin/environments/project/{project}': {
    boolean: '.environments[].visible',
    object: '.environments[].defaultStrategy',
  },
  'GET /api/admin/personal-dashboard': {
    array: '.admins .projectOwners',
    number: '.admins[].id',
    string: '.admins[].imageUrl',
  },
  'GET /api/admin/personal-dashboard/{project}': {
    object: '.insights',
    string: '.latestEvents[].createdByImageUrl .onboardingStatus.status .owners[].ownerType',
  },
  'GET /api/admin/user': {
    null: '.user.companyRole .user.productUpdatesEmailConsent .user.scimId .user.seatType',
    string: '.user.imageUrl',
  },
};
