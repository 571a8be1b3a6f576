import {
  type Icon,
  IconApps,
  IconBell,
  IconBellRinging,
  IconBolt,
  IconCategory,
  IconChessKnight,
  IconFlag,
  IconFlag2,
  IconFlagQuestion,
  IconGitPullRequest,
  IconHistory,
  IconHome,
  IconKey,
  IconListSearch,
  IconLockAccess,
  IconLogin2,
  IconPlayerPlay,
  IconPlugConnected,
  IconRobot,
  IconRss,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconStairsUp,
  IconTags,
  IconUrgent,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';

/**
 * The pages of the instance. The main menu, the tabs of pages, the command palette and the page titles use this list.
 */
export const sections = [
  {
    title: undefined,
    places: [
      { label: 'Now', to: '/personal', icon: IconHome, topics: 'home, what waits for you' },
      {
        label: 'Let an alert switch a flag',
        to: '/first-alert',
        icon: IconBell,
        within: '/personal',
        needs: 'ADMIN',
        topics: 'first action, Alertmanager, Grafana, Datadog',
      },
      { label: 'Projects', to: '/projects', icon: IconFlag, topics: 'feature flags' },
      { label: 'Change requests', to: '/change-requests', icon: IconGitPullRequest, topics: 'review, approval' },
      { label: 'Actions', to: '/actions', icon: IconBolt, topics: 'automation, runs' },
      { label: 'Incidents', to: '/incidents', icon: IconUrgent, topics: 'on call, holds' },
      { label: 'Playground', to: '/playground', icon: IconPlayerPlay, topics: 'evaluate flags for a context' },
      { label: 'Applications', to: '/applications', icon: IconApps, topics: 'SDK versions, instances' },
      {
        label: 'Unknown flags',
        to: '/applications/unknown-flags',
        icon: IconFlagQuestion,
        within: '/applications',
        topics: 'missing flags that applications evaluate',
      },
      { label: 'Event log', to: '/history', icon: IconHistory, topics: 'audit log, history, changes' },
    ],
  },
  {
    title: 'Configure',
    places: [
      {
        label: 'Integrations',
        to: '/integrations',
        icon: IconPlugConnected,
        topics: 'webhooks, Slack, Teams, e-mail, action calls, signing key',
      },
      {
        label: 'Signals',
        to: '/integrations/signals',
        icon: IconBellRinging,
        within: '/integrations',
        needs: 'ADMIN',
        topics: 'signal endpoints, alerts',
      },
      {
        label: 'Event consumers',
        to: '/integrations/consumers',
        icon: IconRss,
        within: '/integrations',
        needs: 'UPDATE_EVENT_CONSUMERS',
        topics: 'event feed',
      },
      { label: 'Environments', to: '/environments', icon: IconServer2, topics: 'development, production' },
      { label: 'Context fields', to: '/context', icon: IconCategory, topics: 'stickiness, legal values' },
      { label: 'Segments', to: '/segments', icon: IconUsersGroup, topics: 'groups of users, constraints' },
      { label: 'Tag types', to: '/tag-types', icon: IconTags, topics: 'labels of flags' },
      { label: 'Strategy types', to: '/strategies', icon: IconChessKnight, topics: 'custom strategies' },
      {
        label: 'Release templates',
        to: '/release-templates',
        icon: IconStairsUp,
        topics: 'release plans, milestones, gradual rollout',
      },
      {
        label: 'Feature flag types',
        to: '/feature-toggle-type',
        icon: IconFlag2,
        topics: 'expected lifetime, potentially stale',
      },
    ],
  },
  {
    title: 'Admin',
    places: [
      {
        label: 'Users',
        to: '/admin/users',
        icon: IconUsers,
        needs: 'ADMIN',
        topics: 'accounts, people',
        parts: [
          { label: 'Inactive', tab: 'inactive', topics: 'users who have not logged in lately' },
          { label: 'Invite links', tab: 'invite-links', topics: 'sign-up' },
        ],
      },
      {
        label: 'Service accounts',
        to: '/admin/service-accounts',
        icon: IconRobot,
        needs: 'ADMIN',
        topics: 'tokens of programs',
      },
      { label: 'Groups', to: '/admin/groups', icon: IconUsersGroup, needs: 'ADMIN', topics: 'teams' },
      {
        label: 'Roles',
        to: '/admin/roles',
        icon: IconShieldCheck,
        needs: 'READ_ROLE',
        topics: 'permissions',
        parts: [
          { label: 'Root roles', tab: 'root' },
          { label: 'Project roles', tab: 'project' },
        ],
      },
      {
        label: 'API tokens',
        to: '/admin/api',
        icon: IconKey,
        needs: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
        topics: 'SDK tokens, API keys',
      },
      {
        label: 'All tokens',
        to: '/admin/tokens',
        icon: IconLockAccess,
        needs: 'ADMIN',
        topics: 'tokens of users and service accounts, owner, last use, revoke',
      },
      {
        label: 'Single sign-on',
        to: '/admin/auth',
        icon: IconLogin2,
        needs: 'UPDATE_AUTH_CONFIGURATION',
        topics: 'SSO, OpenID Connect (OIDC), login with passwords, group sync',
      },
      {
        label: 'Login history',
        to: '/admin/logins',
        icon: IconListSearch,
        needs: 'READ_LOGS',
        topics: 'failed logins',
      },
      {
        label: 'Instance',
        to: '/admin/instance',
        icon: IconSettings,
        topics: 'settings of the installation',
        parts: [
          // Only administrators see the statistics, because they include private projects.
          { label: 'Statistics', tab: 'statistics', needs: 'ADMIN', topics: 'counts, version, CSV' },
          { label: 'Maintenance', tab: 'maintenance', topics: 'maintenance mode, read-only' },
          {
            label: 'Legal hold',
            tab: 'maintenance',
            isSection: true,
            needs: 'ADMIN',
            topics: 'retention deletes nothing',
          },
          { label: 'Banners', tab: 'banners', topics: 'message to all users, announcement' },
          { label: 'Network', tab: 'network', topics: 'CORS, origins of the frontend API' },
        ],
      },
    ],
  },
  {
    title: 'Account',
    places: [
      {
        label: 'Profile',
        to: '/profile',
        icon: IconUserCircle,
        within: null,
        topics: 'password, personal access tokens, sessions, logins, appearance',
      },
    ],
  },
] as const satisfies readonly { readonly title: string | undefined; readonly places: readonly Place[] }[];

interface Place {
  readonly label: string;
  readonly to: string;
  readonly icon: Icon;
  /** Any one of these permissions gives access. Absent when no permission is needed. */
  readonly needs?: string | readonly string[];
  /**
   * The menu entry under which this page is listed, when it has no entry in the main menu itself; null when no menu
   * entry lists it.
   */
  readonly within?: string | null;
  /** The subjects of the page, with the words by which the command palette finds it besides its label. */
  readonly topics: string;
  readonly parts?: readonly Part[];
}

/** A tab of a page, or a section of a tab, that the command palette finds. */
interface Part {
  readonly label: string;
  /** The value of the search parameter `tab`. */
  readonly tab: string;
  /** It is a section of the tab, and has no tab of its own. */
  readonly isSection?: true;
  /** As for a page. The permission of the page is needed too. */
  readonly needs?: string;
  readonly topics?: string;
}

type Known = (typeof sections)[number]['places'][number];

/** A page with its typed address. */
export type NavigationItem = Place & Pick<Known, 'to'>;

const places: readonly NavigationItem[] = sections.flatMap((section): readonly NavigationItem[] => section.places);

/** Returns the title of the page at an address. */
export function titleOf(to: Known['to']): string {
  return places.find((place) => place.to === to)?.label ?? to;
}

/** Returns the tabs of the page at an address. */
export function tabsOf(to: Known['to']): readonly Part[] {
  const { parts = [] } = places.find((place) => place.to === to) ?? {};
  return parts.filter(({ isSection }) => isSection === undefined);
}

/** Returns the page that a router path belongs to. A path below the address of a page belongs to that page. */
export function navigationItemAt(path: string): NavigationItem | undefined {
  const at = places.filter(({ to }) => path === to || path.startsWith(`${to}/`));
  return at.toSorted((a, b) => b.to.length - a.to.length)[0];
}
