type PermissionType = 'root' | 'project' | 'environment';

/** The roles that every installation has. A Viewer has no permission, because reading needs none. */
export type BuiltInRole = 'admin' | 'editor' | 'viewer' | 'owner' | 'member' | 'reader';

interface PermissionFacts {
  /** Clients may refer to a permission by its id, so ids stay. A new permission gets the next id. */
  readonly id: number;
  readonly type: PermissionType;
  /**
   * The built-in roles that grant the permission. Admin is usually not listed: it grants each permission except
   * BREAK_GLASS_CHANGE_REQUEST.
   */
  readonly roles: readonly BuiltInRole[];
  /** A permission that includes this permission. A role may also grant it separately (docs/spec#permissions). */
  readonly impliedBy?: 'UPDATE_PROJECT';
  /** Whether a root role can grant the permission too, for every project that its holder sees. */
  readonly inEveryProject?: true;
}

const impliedBy = 'UPDATE_PROJECT';
const inEveryProject = true;

/** Permissions, with the names of Unleash (docs/spec#permissions), so that roles and scripts can be migrated. */
export const permissions = {
  ADMIN: { id: 1, type: 'root', roles: ['admin'] },
  CREATE_ADDON: { id: 2, type: 'root', roles: ['editor'] },
  UPDATE_ADDON: { id: 3, type: 'root', roles: ['editor'] },
  DELETE_ADDON: { id: 4, type: 'root', roles: ['editor'] },
  CREATE_CLIENT_API_TOKEN: { id: 5, type: 'root', roles: ['editor'] },
  READ_CLIENT_API_TOKEN: { id: 6, type: 'root', roles: ['editor'] },
  UPDATE_CLIENT_API_TOKEN: { id: 7, type: 'root', roles: ['editor'] },
  DELETE_CLIENT_API_TOKEN: { id: 8, type: 'root', roles: ['editor'] },
  CREATE_FRONTEND_API_TOKEN: { id: 9, type: 'root', roles: ['editor'] },
  READ_FRONTEND_API_TOKEN: { id: 10, type: 'root', roles: ['editor'] },
  UPDATE_FRONTEND_API_TOKEN: { id: 11, type: 'root', roles: ['editor'] },
  DELETE_FRONTEND_API_TOKEN: { id: 12, type: 'root', roles: ['editor'] },
  UPDATE_APPLICATION: { id: 13, type: 'root', roles: ['editor'] },
  CREATE_CONTEXT_FIELD: { id: 14, type: 'root', roles: ['editor'] },
  UPDATE_CONTEXT_FIELD: { id: 15, type: 'root', roles: ['editor'] },
  DELETE_CONTEXT_FIELD: { id: 16, type: 'root', roles: ['editor'] },
  CREATE_PROJECT: { id: 17, type: 'root', roles: ['editor'] },
  READ_ROLE: { id: 18, type: 'root', roles: [] },
  CREATE_SEGMENT: { id: 19, type: 'root', roles: ['editor'] },
  UPDATE_SEGMENT: { id: 20, type: 'root', roles: ['editor'] },
  DELETE_SEGMENT: { id: 21, type: 'root', roles: ['editor'] },
  CREATE_STRATEGY: { id: 22, type: 'root', roles: ['editor'] },
  UPDATE_STRATEGY: { id: 23, type: 'root', roles: ['editor'] },
  DELETE_STRATEGY: { id: 24, type: 'root', roles: ['editor'] },
  CREATE_TAG_TYPE: { id: 25, type: 'root', roles: ['editor'] },
  UPDATE_TAG_TYPE: { id: 26, type: 'root', roles: ['editor'] },
  DELETE_TAG_TYPE: { id: 27, type: 'root', roles: ['editor'] },
  READ_LOGS: { id: 28, type: 'root', roles: [] },
  UPDATE_MAINTENANCE_MODE: { id: 29, type: 'root', roles: [] },
  UPDATE_INSTANCE_BANNERS: { id: 30, type: 'root', roles: [] },
  UPDATE_CORS: { id: 31, type: 'root', roles: [] },
  UPDATE_AUTH_CONFIGURATION: { id: 32, type: 'root', roles: [] },
  RELEASE_PLAN_TEMPLATE_CREATE: { id: 33, type: 'root', roles: ['editor'] },
  RELEASE_PLAN_TEMPLATE_UPDATE: { id: 34, type: 'root', roles: ['editor'] },
  RELEASE_PLAN_TEMPLATE_DELETE: { id: 35, type: 'root', roles: ['editor'] },
  CREATE_FEATURE: { id: 36, type: 'project', roles: ['owner', 'member'] },
  UPDATE_FEATURE: { id: 37, type: 'project', roles: ['owner', 'member'] },
  DELETE_FEATURE: { id: 38, type: 'project', roles: ['owner', 'member'] },
  UPDATE_FEATURE_DEPENDENCY: { id: 39, type: 'project', roles: ['owner', 'member'] },
  UPDATE_FEATURE_VARIANTS: { id: 40, type: 'project', roles: ['owner', 'member'] },
  MOVE_FEATURE_TOGGLE: { id: 41, type: 'project', roles: ['owner'] },
  UPDATE_PROJECT: { id: 42, type: 'project', roles: ['owner'] },
  DELETE_PROJECT: { id: 43, type: 'project', roles: ['owner'] },
  READ_PROJECT_API_TOKEN: { id: 44, type: 'project', roles: ['owner', 'member'] },
  CREATE_PROJECT_API_TOKEN: { id: 45, type: 'project', roles: ['owner', 'member'] },
  DELETE_PROJECT_API_TOKEN: { id: 46, type: 'project', roles: ['owner', 'member'] },
  UPDATE_PROJECT_CONTEXT: { id: 47, type: 'project', roles: ['owner', 'member'] },
  UPDATE_PROJECT_SEGMENT: { id: 48, type: 'project', roles: ['owner', 'member'] },
  PROJECT_USER_ACCESS_READ: { id: 49, type: 'project', roles: ['owner', 'member', 'reader'], impliedBy },
  PROJECT_USER_ACCESS_WRITE: { id: 50, type: 'project', roles: ['owner'], impliedBy },
  PROJECT_DEFAULT_STRATEGY_READ: { id: 51, type: 'project', roles: ['owner', 'member', 'reader'], impliedBy },
  PROJECT_DEFAULT_STRATEGY_WRITE: { id: 52, type: 'project', roles: ['owner'], impliedBy },
  PROJECT_CHANGE_REQUEST_READ: { id: 53, type: 'project', roles: ['owner', 'member', 'reader'], impliedBy },
  PROJECT_CHANGE_REQUEST_WRITE: { id: 54, type: 'project', roles: ['owner'], impliedBy },
  PROJECT_SETTINGS_READ: { id: 55, type: 'project', roles: ['owner', 'member', 'reader'], impliedBy },
  PROJECT_SETTINGS_WRITE: { id: 56, type: 'project', roles: ['owner'], impliedBy },
  CREATE_FEATURE_STRATEGY: { id: 57, type: 'environment', roles: ['owner', 'member'] },
  UPDATE_FEATURE_STRATEGY: { id: 58, type: 'environment', roles: ['owner', 'member'] },
  DELETE_FEATURE_STRATEGY: { id: 59, type: 'environment', roles: ['owner', 'member'] },
  UPDATE_FEATURE_ENVIRONMENT: { id: 60, type: 'environment', roles: ['owner', 'member'] },
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: { id: 61, type: 'environment', roles: ['owner', 'member'] },
  APPROVE_CHANGE_REQUEST: { id: 62, type: 'environment', roles: ['owner'] },
  APPLY_CHANGE_REQUEST: { id: 63, type: 'environment', roles: ['owner'] },
  SKIP_CHANGE_REQUEST: { id: 64, type: 'environment', roles: ['owner'] },
  READ_SIGNALS: { id: 65, type: 'root', roles: ['editor'] },
  BREAK_GLASS_CHANGE_REQUEST: { id: 66, type: 'environment', roles: [] },
  UPDATE_EVENT_CONSUMERS: { id: 67, type: 'root', roles: [] },
  READ_ACTIONS: { id: 68, type: 'project', roles: ['owner', 'member'], inEveryProject },
  FREEZE_AUTOMATION: { id: 69, type: 'root', roles: [] },
  OVERRIDE_AUTOMATION: { id: 70, type: 'environment', roles: ['owner', 'member'], inEveryProject },
  UPDATE_PROJECT_RELEASE_TEMPLATE: { id: 71, type: 'project', roles: ['owner', 'member'] },
  LOWER_EXPOSURE: { id: 72, type: 'environment', roles: [], inEveryProject },
} as const satisfies Readonly<Record<string, PermissionFacts>>;

export type Permission = keyof typeof permissions;

function permissionsWhere(test: (facts: PermissionFacts) => boolean): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter((name) => test(permissions[name]));
}

// PURE lets the bundler leave the table out of the user interface, which takes only the names below.
export const rootPermissions = /* @__PURE__ */ permissionsWhere(({ type }) => type === 'root');
export const projectPermissions = /* @__PURE__ */ permissionsWhere(({ type }) => type === 'project');
export const environmentPermissions = /* @__PURE__ */ permissionsWhere(({ type }) => type === 'environment');

/** Permissions of projects that a root role can grant for every project that its holder sees. */
export const everyProjectPermissions = /* @__PURE__ */ permissionsWhere((facts) => facts.inEveryProject === true);

/** Permissions implied by UPDATE_PROJECT. */
export const projectSettingPermissions = /* @__PURE__ */ permissionsWhere((facts) => facts.impliedBy !== undefined);

/** Returns the permissions that a built-in role grants. */
export function permissionsOfRole(role: BuiltInRole): Permission[] {
  return permissionsWhere(({ roles }) => roles.includes(role));
}

/**
 * The permission to make changes directly, with a reason, where they require review. No built-in role grants it, and
 * ADMIN does not imply it.
 */
export const breakGlassPermission = 'BREAK_GLASS_CHANGE_REQUEST';

/** The request header with the reason for breaking glass, encoded with `encodeURIComponent`. */
export const breakGlassHeader = 'Yardarm-Break-Glass';

/** The header of what a page fetches by itself while nobody uses it: it does not keep the session from ending. */
export const backgroundHeader = 'Yardarm-Background';

/** The request header with the reason for a change, encoded with `encodeURIComponent`. */
export const changeReasonHeader = 'X-Change-Reason';

export const longestChangeReason = 500;

const notHidden = 'everyone who can see a project can see its settings';

/**
 * Permissions without effect, with the reason. Roles may have them, for migrated scripts; the role editor does not
 * offer them.
 */
export const permissionsWithoutEffect: Partial<Readonly<Record<Permission, string>>> = {
  UPDATE_FEATURE_VARIANTS: 'variants belong to environments, see UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  PROJECT_DEFAULT_STRATEGY_READ: notHidden,
  PROJECT_CHANGE_REQUEST_READ: notHidden,
  PROJECT_SETTINGS_READ: notHidden,
};
