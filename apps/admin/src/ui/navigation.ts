import {
  type Icon,
  IconApps,
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
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';

/** The pages of the main menu. The menu, the command palette and the page titles use this list. */
export const sections = [
  {
    title: undefined,
    places: [
      { label: 'Now', to: '/personal', icon: IconHome },
      { label: 'Projects', to: '/projects', icon: IconFlag },
      { label: 'Change requests', to: '/change-requests', icon: IconGitPullRequest },
      { label: 'Actions', to: '/actions', icon: IconBolt },
      { label: 'Incidents', to: '/incidents', icon: IconUrgent },
      { label: 'Playground', to: '/playground', icon: IconPlayerPlay },
      { label: 'Applications', to: '/applications', icon: IconApps },
      { label: 'Unknown flags', to: '/applications/unknown-flags', icon: IconFlagQuestion, within: '/applications' },
      { label: 'Event log', to: '/history', icon: IconHistory },
    ],
  },
  {
    title: 'Configure',
    places: [
      { label: 'Integrations', to: '/integrations', icon: IconPlugConnected },
      { label: 'Signals', to: '/integrations/signals', icon: IconBellRinging, within: '/integrations', needs: 'ADMIN' },
      {
        label: 'Event consumers',
        to: '/integrations/consumers',
        icon: IconRss,
        within: '/integrations',
        needs: 'UPDATE_EVENT_CONSUMERS',
      },
      { label: 'Environments', to: '/environments', icon: IconServer2 },
      { label: 'Context fields', to: '/context', icon: IconCategory },
      { label: 'Segments', to: '/segments', icon: IconUsersGroup },
      { label: 'Tag types', to: '/tag-types', icon: IconTags },
      { label: 'Strategy types', to: '/strategies', icon: IconChessKnight },
      { label: 'Release templates', to: '/release-templates', icon: IconStairsUp },
      { label: 'Feature flag types', to: '/feature-toggle-type', icon: IconFlag2 },
    ],
  },
  {
    title: 'Admin',
    places: [
      { label: 'Users', to: '/admin/users', icon: IconUsers, needs: 'ADMIN' },
      { label: 'Service accounts', to: '/admin/service-accounts', icon: IconRobot, needs: 'ADMIN' },
      { label: 'Groups', to: '/admin/groups', icon: IconUsersGroup, needs: 'ADMIN' },
      { label: 'Roles', to: '/admin/roles', icon: IconShieldCheck, needs: 'READ_ROLE' },
      {
        label: 'API tokens',
        to: '/admin/api',
        icon: IconKey,
        needs: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
      },
      { label: 'Single sign-on', to: '/admin/auth', icon: IconLogin2, needs: 'UPDATE_AUTH_CONFIGURATION' },
      { label: 'Login history', to: '/admin/logins', icon: IconListSearch, needs: 'READ_LOGS' },
      { label: 'Instance', to: '/admin/instance', icon: IconSettings },
    ],
  },
] as const satisfies readonly { readonly title: string | undefined; readonly places: readonly Place[] }[];

interface Place {
  readonly label: string;
  readonly to: string;
  readonly icon: Icon;
  /** Any one of these permissions gives access. Absent when no permission is needed. */
  readonly needs?: string | readonly string[];
  /** The menu entry under which this page is listed, when it has no entry in the main menu itself. */
  readonly within?: string;
}

type Known = (typeof sections)[number]['places'][number];

/** A page with its typed address. */
export type NavigationItem = Place & Pick<Known, 'to'>;

const places: readonly NavigationItem[] = sections.flatMap((section): readonly NavigationItem[] => section.places);

/** Returns the title of the page at an address. */
export function titleOf(to: Known['to']): string {
  return places.find((place) => place.to === to)?.label ?? to;
}

/** Returns the page that a router path belongs to. A path below the address of a page belongs to that page. */
export function navigationItemAt(path: string): NavigationItem | undefined {
  const at = places.filter(({ to }) => path === to || path.startsWith(`${to}/`));
  return at.toSorted((a, b) => b.to.length - a.to.length)[0];
}
