import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAllTokenSearch } from '../features/all-tokens/all-token-search.ts';
import { readInstanceSearch } from '../features/instance/instance-search.ts';
import { readRoleSearch } from '../features/roles/role-search.ts';
import { readUserSearch } from '../features/users/user-search.ts';
import { readQuerySearch } from '../lib/query-search.ts';
import { root } from './root-route.ts';

const users = createRoute({
  getParentRoute: () => root,
  path: '/admin/users',
  validateSearch: readUserSearch,
  component: lazyRouteComponent(() => import('../features/users/users-page.tsx'), 'UsersPage'),
});

const serviceAccounts = createRoute({
  getParentRoute: () => root,
  path: '/admin/service-accounts',
  component: lazyRouteComponent(
    () => import('../features/service-accounts/service-accounts-page.tsx'),
    'ServiceAccountsPage',
  ),
});

const apiTokens = createRoute({
  getParentRoute: () => root,
  path: '/admin/api',
  validateSearch: readQuerySearch,
  component: lazyRouteComponent(() => import('../features/api-tokens/api-tokens-page.tsx'), 'ApiTokensPage'),
});

const allTokens = createRoute({
  getParentRoute: () => root,
  path: '/admin/tokens',
  validateSearch: readAllTokenSearch,
  component: lazyRouteComponent(() => import('../features/all-tokens/all-tokens-page.tsx'), 'AllTokensPage'),
});

const roles = createRoute({
  getParentRoute: () => root,
  path: '/admin/roles',
  validateSearch: readRoleSearch,
  component: lazyRouteComponent(() => import('../features/roles/roles-page.tsx'), 'RolesPage'),
});

const groups = createRoute({
  getParentRoute: () => root,
  path: '/admin/groups',

  component: lazyRouteComponent(() => import('../features/groups/groups-page.tsx'), 'GroupsPage'),
});

const logins = createRoute({
  getParentRoute: () => root,
  path: '/admin/logins',

  component: lazyRouteComponent(() => import('../features/login-history/login-history-page.tsx'), 'LoginHistoryPage'),
});

const authSettings = createRoute({
  getParentRoute: () => root,
  path: '/admin/auth',

  component: lazyRouteComponent(() => import('../features/auth-settings/auth-settings-page.tsx'), 'AuthSettingsPage'),
});

const instance = createRoute({
  getParentRoute: () => root,
  path: '/admin/instance',
  validateSearch: readInstanceSearch,
  component: lazyRouteComponent(() => import('../features/instance/instance-page.tsx'), 'InstancePage'),
});

const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',

  component: lazyRouteComponent(() => import('../features/users/profile-page.tsx'), 'ProfilePage'),
});

/** The routes of users, roles, tokens, login settings and the instance. */
export const accessRoutes = [
  users,
  serviceAccounts,
  apiTokens,
  allTokens,
  groups,
  roles,
  authSettings,
  logins,
  instance,
  profile,
] as const;
