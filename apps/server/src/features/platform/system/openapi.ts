import { type Payload, problemSchema, type RouteKey, type RouteSpec, type RouteTable } from '@yardarm/contract';
import { z } from 'zod';
import { yieldToEventLoop } from '#kernel/event-loop.ts';

type JsonObject = Record<string, unknown>;

type Paths = Record<string, JsonObject>;

/** The number of routes that are described before yielding to the event loop: a few milliseconds of work. */
const routesPerTurn = 5;

/** Returns the OpenAPI paths of all routes. Yields to the event loop in between. */
export async function openApiPaths(table: RouteTable): Promise<Paths> {
  const paths: Paths = {};
  for (const [index, [key, spec]] of (Object.entries(table) as [RouteKey, RouteSpec][]).entries()) {
    if (index % routesPerTurn === 0) await yieldToEventLoop();
    addOperation(paths, key, spec);
  }
  return paths;
}

function addOperation(paths: Paths, key: RouteKey, spec: RouteSpec): void {
  const [method, url] = key.split(' ') as [string, string];
  const path = url.replace(/:(\w+)/g, '{$1}');
  paths[path] = { ...paths[path], [method.toLowerCase()]: operation(key, spec) };
}

type OpenApiDocument = { openapi: string } & JsonObject;

/**
 * Returns the HTTP API as an OpenAPI 3.1 document. The paths come from the route table that also serves and validates
 * the requests.
 */
export function openApiDocument(paths: Paths, version: string, serverUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Yardarm',
      version,
      description:
        'Feature flags that outside systems can act on. Speaks the HTTP API of Unleash; not affiliated with it.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(key: RouteKey, spec: RouteSpec): JsonObject {
  return {
    operationId: operationId(key, spec),
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    ...(spec.aliasOf === undefined ? {} : { deprecated: true }),
    ...(spec.access === 'public' ? { security: [] } : { security: [{ apiKey: [] }, { bearer: [] }] }),
    'x-yardarm-access': describeAccess(spec),
    ...(spec.emits.length === 0 ? {} : { 'x-yardarm-events': spec.emits }),
    parameters: [...parameters('path', spec.params), ...parameters('query', spec.query)],
    ...requestBody(spec),
    responses: responses(spec),
  };
}

/**
 * Returns the operation id of a route: `POST /api/admin/signal-endpoints/:id/on` becomes
 * `postApiAdminSignalEndpointsIdOn`. Begins with `old` for an alias, whose path may differ from that of its route by an
 * underscore only.
 */
function operationId(key: RouteKey, { aliasOf }: RouteSpec): string {
  return `${aliasOf === undefined ? '' : 'old '}${key}`
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

/** Describes in words which permission or token a caller needs. */
export function describeAccess({ parts = [], ...spec }: Described): string {
  return [whoMayCall(spec), ...parts.map(({ permission, where }) => `${oneOf(permission)} ${where}`)].join('; ');
}

type Described = Pick<RouteSpec, 'access' | 'checks' | 'only' | 'parts'>;

function whoMayCall({ access, checks, only }: Omit<Described, 'parts'>): string {
  if (only !== undefined) return only;
  if (checks !== undefined) return checks.map(({ permission, where }) => `${oneOf(permission)} ${where}`).join('; ');
  if (typeof access === 'object') return oneOf(access.permission);
  const words = {
    public: 'anyone',
    'signed-in': 'any signed-in caller',
    backend: 'a backend token',
    frontend: 'a frontend token',
    sdk: 'a backend or frontend token',
    replica: 'a replica token',
    signal: 'a token of the signal endpoint',
    stream: 'the URL that an evaluation names',
  };
  return words[access];
}

function oneOf(permission: string | readonly string[]): string {
  return [permission].flat().join(' or ');
}

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined): JsonObject[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody(spec: RouteSpec): JsonObject {
  if (spec.rawBody !== undefined) {
    const types = spec.rawBody.mediaTypes.filter((type) => !type.startsWith('+'));
    return {
      requestBody: {
        required: !spec.rawBody.optional,
        content: Object.fromEntries(types.map((type) => [type, { schema: {} }])),
      },
    };
  }
  if (spec.body === undefined) return {};
  return {
    requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(spec.body, 'input') } } },
  };
}

function responses(spec: RouteSpec): JsonObject {
  const answers = Object.entries(spec.answers).map(([status, payload]) => [status, answer(payload)]);
  const problem = {
    description: 'A problem',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/problem' } } },
  };
  return Object.fromEntries([...answers, ...statusesOf(spec).map((status) => [String(status), problem])]);
}

/**
 * Returns the 4xx and 5xx that a route may answer: those it names, and those that its access, checks, parameters
 * and body imply.
 */
export function statusesOf(spec: RouteSpec): number[] {
  const implied = [
    ...(spec.access === 'public' ? [] : [401]),
    ...(['public', 'signed-in', 'signal', 'stream'].includes(spec.access as string) ? [] : [403]),
    ...(spec.checks === undefined ? [] : [403]),
    ...(spec.params === undefined || spec.anyName ? [] : [404]),
    ...(spec.body === undefined ? [] : [400, 413, 415]),
    ...(spec.largeBody === undefined ? [] : [429]),
    ...(Array.isArray(spec.largeBody) ? [403] : []),
    ...(spec.params === undefined && spec.query === undefined ? [] : [400]),
  ];
  return [...new Set([...implied, ...spec.errors])].sort((a, b) => a - b);
}

function answer(payload: Payload): JsonObject {
  if (payload.kind === 'empty') return { description: 'Done; no body' };
  if (payload.kind === 'text')
    return { description: 'Text', content: { [payload.mediaType]: { schema: { type: 'string' } } } };
  if (payload.kind === 'formats') {
    const [first = '', ...alternatives] = payload.mediaTypes;
    const rest = alternatives.map((type) => [type, { schema: { type: 'string' } }]);
    return {
      description: 'The answer, in the format that Accept names',
      content: { [first]: { schema: jsonSchema(payload.schema, 'output') }, ...Object.fromEntries(rest) },
    };
  }
  const type = payload.kind === 'events' ? 'text/event-stream' : 'application/json';
  return {
    description: 'The answer',
    content: { [type]: { schema: jsonSchema(payload.schema, 'output') } },
  };
}

/** Returns a schema of the contract as JSON Schema: of requests (`input`) or of answers (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
