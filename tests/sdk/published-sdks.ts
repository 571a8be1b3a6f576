import type { Shape } from './shape.ts';

/**
 * The requests that an SDK sends and the fields that it reads, according to its published source. The tests do not run
 * the SDK.
 */
export interface PublishedSdk {
  /** The package, as the guide names it. */
  readonly name: string;
  readonly version: string;
  /** Where the fields were read: repositories with tags or commits, and their licences. */
  readonly source: string;
  /**
   * Headers that the SDK sends with each request for flags, without `Authorization` and those that name the
   * application.
   */
  readonly sends: Readonly<Record<string, string>>;
  /**
   * Headers of the answer that the SDK reads, with the pattern of their value, or null for one that Yardarm does not
   * send.
   */
  readonly headers: Readonly<Record<string, RegExp | null>>;
  /** The fields that the SDK reads in the answer to `GET /api/client/features`. */
  readonly features: Shape;
  /**
   * The fields that it reads in events of `GET /api/client/streaming`, by event type; absent if the SDK has no
   * streaming.
   */
  readonly events?: Readonly<Record<string, Shape>>;
  /**
   * Optional fields for the SDK that Yardarm does not serve: Unleash does not serve them either, or only in old
   * versions.
   */
  readonly notServed: readonly string[];
  /** The body of a registration as the SDK builds it, and the statuses that the SDK takes as a success. */
  readonly registers: { readonly body: object; readonly success: readonly number[] };
  readonly counts: { readonly body: (flag: string) => object; readonly success: readonly number[] };
}

const quotedTag = /^(W\/)?"[^"]*"$/;
const started = '2026-11-22T10:00:00.000Z';
const toggles = (flag: string, variants?: object) => ({ [flag]: { yes: 3, no: 1, ...(variants && { variants }) } });
const bucket = (flag: string, variants?: object) => ({
  start: new Date().toISOString(),
  stop: new Date().toISOString(),
  toggles: toggles(flag, variants),
});
const strategies = ['default', 'flexibleRollout'];

/**
 * `client_features.rs` of unleash-types: an `Option` field may be absent or null, a field with a default only absent.
 */
const engineConstraint = {
  contextName: 'string',
  operator: 'string',
  'caseInsensitive?': 'boolean',
  'inverted?': 'boolean',
  'values?': 'strings|null',
  'value?': 'string|null',
};
const enginePayload = { type: 'string', value: 'string' };
const engineVariant = {
  name: 'string',
  weight: 'integer',
  'stickiness?': 'string|null',
  'payload?': enginePayload,
};
const engineFeature = {
  name: 'string',
  'type?': 'string|null',
  'description?': 'string|null',
  'createdAt?': 'date|null',
  'lastSeenAt?': 'date|null',
  enabled: 'boolean',
  'stale?': 'boolean|null',
  'impressionData?': 'boolean|null',
  'project?': 'string|null',
  'strategies?': [
    {
      name: 'string',
      'sortOrder?': 'integer|null',
      'segments?': 'integers|null',
      'constraints?': [engineConstraint],
      'parameters?': 'map of strings|null',
      'variants?': [engineVariant],
    },
  ],
  'variants?': [
    {
      ...engineVariant,
      'weightType?': 'fix or variable|null',
      'overrides?': [{ contextName: 'string', values: 'strings' }],
    },
  ],
  'dependencies?': [{ feature: 'string', 'enabled?': 'boolean|null', 'variants?': 'strings|null' }],
} as const satisfies Shape;
const engineSegment = { id: 'integer', constraints: [engineConstraint] } as const satisfies Shape;
const engineFeatures = {
  version: 'integer',
  features: [engineFeature],
  'segments?': [engineSegment],
  'query?': {
    'environment?': 'string|null',
    'inlineSegmentConstraints?': 'boolean|null',
  },
  'meta?': { 'etag?': 'string|null', 'revisionId?': 'integer|null', 'queryHash?': 'string|null' },
} as const satisfies Shape;

const eventsOf = (feature: Shape, segment: Shape) => ({
  hydration: { type: 'string', eventId: 'integer', features: [feature], segments: [segment] } as const,
  'feature-updated': { type: 'string', eventId: 'integer', feature },
  'feature-removed': { type: 'string', eventId: 'integer', featureName: 'string', project: 'string' },
  'segment-updated': { type: 'string', eventId: 'integer', segment },
  'segment-removed': { type: 'string', eventId: 'integer', segmentId: 'integer' },
});

const engine = {
  features: engineFeatures,
  events: eventsOf(engineFeature, engineSegment),
  notServed: ['createdAt', 'lastSeenAt', 'strategies[].sortOrder'],
} as const;
const engineSource = 'its engine parses the answer with the types of Unleash/unleash-types-rs 0.15.22 (MIT)';

const javaFeature = { ...engineFeature, 'project?': 'string', 'type?': 'string' } as const satisfies Shape;

/**
 * Types of `api/*.go`. For `encoding/json` every field may be absent or null; a field of another type fails the whole
 * answer.
 */
const goConstraint = {
  'contextName?': 'string|null',
  'operator?': 'string|null',
  'values?': 'strings|null',
  'value?': 'string|null',
  'caseInsensitive?': 'boolean|null',
  'inverted?': 'boolean|null',
};
const goVariants = [
  {
    'name?': 'string|null',
    'payload?': { 'type?': 'string|null', 'value?': 'string|null' },
    'enabled?': 'boolean|null',
    'featureEnabled?': 'boolean|null',
    'weight?': 'integer|null',
    'weightType?': 'string|null',
    'stickiness?': 'string|null',
    'overrides?': [{ 'contextName?': 'string|null', 'values?': 'strings|null' }],
  },
] as const;
const goFeature = {
  'name?': 'string|null',
  'type?': 'string|null',
  'description?': 'string|null',
  'enabled?': 'boolean|null',
  'createdAt?': 'date|null',
  'strategy?': 'string|null',
  'strategies?': [
    {
      'id?': 'integer|null',
      'name?': 'string|null',
      'constraints?': [goConstraint],
      // If the group id is not a string, the SDK turns a strategy with variants off.
      'parameters?': 'map of strings',
      'segments?': 'integers|null',
      'variants?': goVariants,
    },
  ],
  'variants?': goVariants,
  'dependencies?': [{ 'feature?': 'string|null', 'variants?': 'strings|null', 'enabled?': 'boolean|null' }],
  'impressionData?': 'boolean|null',
} as const satisfies Shape;
const goSegment = { 'id?': 'integer|null', 'constraints?': [goConstraint] } as const satisfies Shape;

const phpConstraint = {
  contextName: 'string',
  operator: 'string',
  'values?': 'strings|null',
  'value?': 'string|null',
  'inverted?': 'boolean|null',
  'caseInsensitive?': 'boolean|null',
};
const phpVariants = [
  {
    name: 'string',
    weight: 'integer',
    'stickiness?': 'string|null',
    'payload?': { type: 'string', value: 'string' },
    'overrides?': [{ contextName: 'string', values: 'strings' }],
  },
] as const;

export const publishedSdks: readonly PublishedSdk[] = [
  {
    name: 'UnleashClient',
    version: '6.8.0',
    source: `Unleash/unleash-python-sdk v6.8.0 (MIT): UnleashClient/api, connectors; ${engineSource}`,
    sends: { 'unleash-client-spec': '6.1.0', 'unleash-interval': '15000', 'accept-encoding': 'gzip, deflate' },
    headers: { etag: /./, 'content-encoding': /^gzip$/ },
    ...engine,
    registers: {
      body: {
        connectionId: 'c0',
        sdkVersion: 'unleash-python-sdk:6.8.0',
        strategies,
        started: '2026-11-22T10:00:00.123456+00:00',
        interval: 60,
        platformName: 'CPython',
        platformVersion: '3.13.1',
        yggdrasilVersion: '0.21.5',
        specVersion: '6.1.0',
      },
      success: [200, 202],
    },
    counts: {
      body: (flag) => ({
        connectionId: 'c0',
        bucket: bucket(flag, { blue: 3 }),
        platformName: 'CPython',
        yggdrasilVersion: '0.21.5',
        impactMetrics: [{ name: 'orders', help: '', type: 'counter', samples: [{ labels: {}, value: 1 }] }],
      }),
      success: [202],
    },
  },
  {
    name: 'unleash-go-sdk',
    version: '5.0.3',
    source:
      'Unleash/unleash-client-go at 011d9a7, which is 5.0.3, and api/strategy.go, variant.go and constraint.go at v4.1.0 (Apache-2.0)',
    sends: { 'unleash-client-spec': '4.3.1', 'unleash-interval': '15000', 'accept-encoding': 'gzip' },
    headers: { etag: /./, 'content-encoding': /^gzip$/ },
    features: { 'version?': 'integer|null', 'features?': [goFeature], 'segments?': [goSegment] },
    events: eventsOf(goFeature, goSegment),
    notServed: [
      'createdAt',
      'strategy',
      'strategies[].id',
      'strategies[].variants[].enabled',
      'strategies[].variants[].featureEnabled',
      'strategies[].variants[].overrides[].contextName',
      'strategies[].variants[].overrides[].values',
      'variants[].enabled',
      'variants[].featureEnabled',
    ],
    registers: {
      body: {
        connectionId: 'c0',
        sdkVersion: 'unleash-go-sdk:5.0.3',
        strategies,
        started: '2026-11-22T10:00:00.123456789+01:00',
        interval: 60,
        platformName: 'go',
        platformVersion: 'go1.25',
        yggdrasilVersion: null,
        specVersion: '4.3.1',
      },
      success: [200, 202],
    },
    counts: {
      body: (flag) => ({ connectionId: 'c0', bucket: bucket(flag, { blue: 3 }), yggdrasilVersion: null }),
      success: [200, 202],
    },
  },
  {
    name: 'unleash/client',
    version: '2.10.1',
    source: 'Unleash/unleash-php-sdk v2.10.184 (MIT): src/Repository, src/Metrics, src/Client',
    sends: { 'unleash-client-spec': '5.1.9', 'unleash-interval': '30000' },
    headers: {},
    features: {
      features: [
        {
          name: 'string',
          enabled: 'boolean',
          'impressionData?': 'boolean|null',
          strategies: [
            {
              name: 'string',
              'parameters?': 'map of strings',
              'constraints?': [phpConstraint],
              'segments?': 'integers|null',
              'variants?': phpVariants,
            },
          ],
          'variants?': phpVariants,
          'dependencies?': [{ feature: 'string', 'enabled?': 'boolean|null', 'variants?': 'strings|null' }],
        },
      ],
      'segments?': [{ id: 'integer', constraints: [phpConstraint] }],
    },
    notServed: ['strategies[].variants[].overrides[].contextName', 'strategies[].variants[].overrides[].values'],
    registers: {
      body: {
        sdkVersion: 'unleash-php-sdk:2.10.1',
        strategies,
        started: '2026-11-22T10:00:00+00:00',
        interval: 30000,
        platformName: 'fpm-fcgi',
        platformVersion: '8.4.1',
        yggdrasilVersion: null,
        specVersion: '5.1.9',
      },
      success: [200, 202],
    },
    counts: { body: (flag) => ({ bucket: bucket(flag), yggdrasilVersion: null }), success: [200, 202] },
  },
  {
    name: 'io.getunleash:unleash-client-java',
    version: '12.2.3',
    source: `Unleash/unleash-java-sdk v12.2.3 (Apache-2.0): repository, util/FeatureDefinitionAdapter; ${engineSource}`,
    // The only encoding that this SDK decodes is gzip.
    sends: { 'unleash-client-spec': '5.2.2', 'unleash-interval': '10000', 'accept-encoding': 'gzip,deflate' },
    headers: { etag: /./, 'content-encoding': /^gzip$/, location: null },
    ...engine,
    features: { ...engineFeatures, features: [javaFeature] },
    registers: {
      body: {
        connectionId: 'c0',
        sdkVersion: 'unleash-java-sdk:12.2.3',
        strategies,
        started,
        interval: 60,
        environment: 'default',
        platformName: 'OpenJDK 64-Bit Server VM',
        platformVersion: '21.0.1',
        yggdrasilVersion: '0.21.5',
        specVersion: '5.2.2',
      },
      success: [202],
    },
    counts: {
      body: (flag) => ({ connectionId: 'c0', environment: 'default', bucket: bucket(flag, { blue: 3 }) }),
      success: [202],
    },
  },
  {
    name: 'Unleash.Client',
    version: '6.1.0',
    source: `Unleash/unleash-dotnet-sdk 6.1.0 (Apache-2.0): src/Unleash/Communication, Metrics, Streaming; ${engineSource}`,
    sends: { 'unleash-client-spec': '6.0.1', 'unleash-interval': '15000' },
    headers: { etag: quotedTag },
    ...engine,
    registers: {
      body: {
        connectionId: 'c0',
        sdkVersion: 'unleash-dotnet-sdk:6.1.0',
        strategies,
        started: '2026-11-22T10:00:00.1234567+00:00',
        interval: 60000,
        platformName: '.NET',
        platformVersion: '9.0.1',
        yggdrasilVersion: '0.14.0',
        specVersion: '6.0.1',
      },
      success: [200, 202],
    },
    counts: {
      body: (flag) => ({ connectionId: 'c0', bucket: bucket(flag, { blue: 3 }), impactMetrics: [] }),
      success: [200, 202],
    },
  },
];
