import type { TerraformOperation } from '../../docs/compatibility/terraform.ts';

// The decoding rules of the Go client under the official Terraform provider: a required field must be present, an
// integer must fit into 32 bits, a time must be RFC 3339, and unknown fields are ignored.

type Shape =
  | 'int32'
  | 'number'
  | 'string'
  | 'boolean'
  | 'time'
  | readonly [Shape]
  | { readonly [field: string]: Shape };

/**
 * Fields by name. `*`: the client or the provider requires the field. `!`: the field may be absent, but the provider
 * fails on null. Other fields may be absent or null.
 */
const role = {
  'id*': 'int32',
  'type*': 'string',
  'name*': 'string',
  description: 'string',
  project: 'string',
} as const;
const permission = {
  'id*': 'int32',
  'name*': 'string',
  'displayName*': 'string',
  'type*': 'string',
  environment: 'string',
} as const;
const user = {
  'id*': 'int32',
  'name!': 'string',
  email: 'string',
  'username!': 'string',
  imageUrl: 'string',
  inviteLink: 'string',
  loginAttempts: 'int32',
  emailSent: 'boolean',
  'rootRole*': 'int32',
  seenAt: 'time',
  createdAt: 'time',
  accountType: 'string',
  activeSessions: 'int32',
  deletedSessions: 'number',
} as const;
const pat = {
  'id*': 'int32',
  secret: 'string',
  'createdAt*': 'time',
  seenAt: 'time',
  userId: 'int32',
  'description*': 'string',
  'expiresAt*': 'time',
} as const;
const serviceAccount = {
  'id*': 'number',
  'name*': 'string',
  email: 'string',
  'username*': 'string',
  loginAttempts: 'number',
  'rootRole*': 'int32',
  seenAt: 'time',
  createdAt: 'time',
  tokens: [pat],
} as const;
const group = {
  'id*': 'int32',
  'name*': 'string',
  description: 'string',
  mappingsSSO: ['string'],
  rootRole: 'number',
  createdBy: 'string',
  createdAt: 'time',
  users: [{ joinedAt: 'time', createdBy: 'string', 'user*': { 'id*': 'int32', name: 'string', email: 'string' } }],
  projects: ['string'],
  userCount: 'int32',
} as const;
const held = { 'id*': 'int32', addedAt: 'time', roleId: 'int32', 'roles*': ['int32'], name: 'string' } as const;
const environment = {
  'name*': 'string',
  'type*': 'string',
  'enabled*': 'boolean',
  'protected*': 'boolean',
  'sortOrder*': 'int32',
  requiredApprovals: 'int32',
} as const;
const countedEnvironment = {
  ...environment,
  projectCount: 'int32',
  apiTokenCount: 'int32',
  enabledToggleCount: 'int32',
} as const;
const contextField = {
  'name*': 'string',
  'description!': 'string',
  'stickiness*': 'boolean',
  sortOrder: 'int32',
  createdAt: 'time',
  usedInFeatures: 'int32',
  usedInProjects: 'int32',
  'legalValues*': [{ 'value*': 'string', description: 'string' }],
  project: 'string',
} as const;
/** The client expects a `secret` here too, which Yardarm does not return: see docs/compatibility/terraform.ts. */
const listedToken = {
  'tokenName*': 'string',
  'type*': 'string',
  'environment*': 'string',
  'project*': 'string',
  'projects*': ['string'],
  expiresAt: 'time',
  'createdAt*': 'time',
  seenAt: 'time',
  alias: 'string',
} as const;
const createdToken = { ...listedToken, 'secret*': 'string' } as const;
const oidc = {
  enabled: 'boolean',
  discoverUrl: 'string',
  clientId: 'string',
  secret: 'string',
  autoCreate: 'boolean',
  enableSingleSignOut: 'boolean',
  defaultRootRole: 'string',
  defaultRootRoleId: 'number',
  emailDomains: 'string',
  acrValues: 'string',
  idTokenSigningAlgorithm: 'string',
  enableGroupSyncing: 'boolean',
  groupJsonPath: 'string',
  addGroupsScope: 'boolean',
  enablePkce: 'boolean',
} as const;

/** The answer that the provider accepts from each operation; without a shape it looks at the status alone. */
export const expected: Readonly<Record<TerraformOperation, { readonly status: number; readonly shape?: Shape }>> = {
  'GET /api/admin/api-tokens': { status: 200, shape: { 'tokens*': [listedToken] } },
  'POST /api/admin/api-tokens': { status: 201, shape: createdToken },
  'GET /api/admin/api-tokens/:name': { status: 200, shape: { 'tokens*': [listedToken] } },
  'PUT /api/admin/api-tokens/:token': { status: 200 },
  'DELETE /api/admin/api-tokens/:token': { status: 200 },
  'GET /api/admin/auth/oidc/settings': { status: 200, shape: oidc },
  'POST /api/admin/auth/oidc/settings': { status: 200, shape: oidc },
  'GET /api/admin/auth/saml/settings': { status: 200, shape: { 'enabled*': 'boolean' } },
  'POST /api/admin/auth/saml/settings': { status: 200 },
  'GET /api/admin/auth/simple/settings': { status: 200, shape: { 'disabled*': 'boolean' } },
  'POST /api/admin/auth/simple/settings': { status: 200, shape: { 'disabled*': 'boolean' } },
  'GET /api/admin/context': { status: 200, shape: [contextField] },
  'POST /api/admin/context': { status: 201, shape: contextField },
  'GET /api/admin/context/:contextField': { status: 200, shape: contextField },
  'PUT /api/admin/context/:contextField': { status: 200 },
  'DELETE /api/admin/context/:contextField': { status: 200 },
  'GET /api/admin/environments': {
    status: 200,
    shape: { 'version*': 'int32', 'environments*': [countedEnvironment] },
  },
  'POST /api/admin/environments': { status: 201, shape: countedEnvironment },
  'GET /api/admin/environments/:name': { status: 200, shape: countedEnvironment },
  'DELETE /api/admin/environments/:name': { status: 200 },
  'GET /api/admin/environments/project/:projectId': {
    status: 200,
    shape: {
      'version*': 'int32',
      'environments*': [
        { ...environment, projectApiTokenCount: 'int32', projectEnabledToggleCount: 'int32', visible: 'boolean' },
      ],
    },
  },
  'PUT /api/admin/environments/update/:name': { status: 200, shape: countedEnvironment },
  'GET /api/admin/groups': { status: 200, shape: { groups: [group] } },
  'POST /api/admin/groups': { status: 201, shape: group },
  'GET /api/admin/groups/:groupId': { status: 200, shape: group },
  'PUT /api/admin/groups/:groupId': { status: 200, shape: group },
  'DELETE /api/admin/groups/:groupId': { status: 200 },
  'GET /api/admin/permissions': {
    status: 200,
    shape: {
      'version*': 'int32',
      'permissions*': {
        'root*': [permission],
        'project*': [permission],
        'environments*': [{ 'name*': 'string', 'permissions*': [permission] }],
      },
    },
  },
  'GET /api/admin/projects': {
    status: 200,
    shape: {
      'version*': 'int32',
      'projects*': [{ 'id*': 'string', 'name*': 'string', 'description!': 'string', mode: 'string' }],
    },
  },
  'POST /api/admin/projects': {
    status: 201,
    shape: {
      'id*': 'string',
      'name*': 'string',
      'description!': 'string',
      featureLimit: 'int32',
      mode: 'string',
      defaultStickiness: 'string',
      environments: ['string'],
      changeRequestEnvironments: [{ 'name*': 'string', 'requiredApprovals*': 'int32' }],
    },
  },
  'PUT /api/admin/projects/:projectId': { status: 200 },
  'DELETE /api/admin/projects/:projectId': { status: 200 },
  'GET /api/admin/projects/:projectId/access': {
    status: 200,
    shape: {
      'users*': [{ ...held, isAPI: 'boolean', email: 'string' }],
      'groups*': [{ ...group, ...held }],
      'roles*': [role],
    },
  },
  'PUT /api/admin/projects/:projectId/access': { status: 200 },
  'GET /api/admin/projects/:projectId/change-requests/config': {
    status: 200,
    shape: [
      { 'environment*': 'string', 'type*': 'string', 'changeRequestEnabled*': 'boolean', requiredApprovals: 'number' },
    ],
  },
  'POST /api/admin/projects/:projectId/environments': { status: 200 },
  'DELETE /api/admin/projects/:projectId/environments/:environment': { status: 200 },
  'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': { status: 204 },
  'PUT /api/admin/projects/:projectId/settings': { status: 200 },
  'GET /api/admin/roles': { status: 200, shape: { 'version*': 'int32', 'roles*': [role] } },
  'POST /api/admin/roles': {
    status: 200,
    shape: { 'version*': 'int32', 'roles*': { ...role, 'description*': 'string' } },
  },
  'GET /api/admin/roles/:roleId': {
    status: 200,
    shape: {
      'id*': 'number',
      'type*': 'string',
      'name*': 'string',
      description: 'string',
      'permissions*': [permission],
    },
  },
  'PUT /api/admin/roles/:roleId': { status: 200, shape: { 'version*': 'int32', 'roles*': role } },
  'DELETE /api/admin/roles/:roleId': { status: 200 },
  'GET /api/admin/service-account': {
    status: 200,
    shape: { 'serviceAccounts*': [serviceAccount], rootRoles: [role] },
  },
  'POST /api/admin/service-account': { status: 201, shape: serviceAccount },
  'PUT /api/admin/service-account/:id': { status: 200, shape: serviceAccount },
  'DELETE /api/admin/service-account/:id': { status: 200 },
  'GET /api/admin/service-account/:id/token': { status: 200, shape: { 'pats*': [pat] } },
  'POST /api/admin/service-account/:id/token': { status: 201, shape: { ...pat, 'secret*': 'string' } },
  'DELETE /api/admin/service-account/:id/token/:tokenId': { status: 200 },
  'POST /api/admin/user-admin': { status: 201, shape: user },
  'GET /api/admin/user-admin/:id': { status: 200, shape: user },
  'PUT /api/admin/user-admin/:id': { status: 200, shape: user },
  'DELETE /api/admin/user-admin/:id': { status: 200 },
  // The client expects an object with `users`. Unleash answers a list, and so does Yardarm.
  'GET /api/admin/user-admin/search': { status: 200, shape: [{ 'id*': 'int32', email: 'string' }] },
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const simple = {
  int32: (value: unknown) => Number.isInteger(value) && (value as number) === ((value as number) | 0),
  number: (value: unknown) => typeof value === 'number',
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  time: (value: unknown) => typeof value === 'string' && time.test(value),
} as const;

/** Returns the parts of a value that the client cannot decode or the provider cannot use, with their paths. */
export function faults(shape: Shape, value: unknown, path = 'answer'): string[] {
  if (typeof shape === 'string')
    return simple[shape](value) ? [] : [`${path} is no ${shape}: ${JSON.stringify(value)}`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item, index) => faults(shape[0], item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`];
  return Object.entries(shape).flatMap(([field, wanted]) => {
    const name = field.replace(/[*!]$/, '');
    const found = (value as Readonly<Record<string, unknown>>)[name];
    const here = `${path}.${name}`;
    if (found === undefined) return field.endsWith('*') ? [`${here} is missing`] : [];
    if (found === null) return field === name ? [] : [`${here} is null`];
    return faults(wanted, found, here);
  });
}

function isList(shape: Exclude<Shape, string>): shape is readonly [Shape] {
  return Array.isArray(shape);
}
