import {
  type Icon,
  IconApps,
  IconCategory,
  IconChessKnight,
  IconFlag,
  IconFlag2,
  IconGitPullRequest,
  IconHistory,
  IconHome,
  IconKey,
  IconListSearch,
  IconLogin2,
  IconPlayerPlay,
  IconPlugConnected,
  IconRobot,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconTags,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';

/** The main menu, which the command palette offers too. */
export const sections = [
  {
    title: undefined,
    places: [
      { label: 'Dashboard', to: '/personal', icon: IconHome },
      { label: 'Projects', to: '/projects', icon: IconFlag },
      { label: 'Change requests', to: '/change-requests', icon: IconGitPullRequest },
      { label: 'Playground', to: '/playground', icon: IconPlayerPlay },
      { label: 'Applications', to: '/applications', icon: IconApps },
      { label: 'Event log', to: '/history', icon: IconHistory },
    ],
  },
  {
    title: 'Configure',
    places: [
      { label: 'Integrations', to: '/integrations', icon: IconPlugConnected },
      { label: 'Environments', to: '/environments', icon: IconServer2 },
      { label: 'Context fields', to: '/context', icon: IconCategory },
      { label: 'Segments', to: '/segments', icon: IconUsersGroup },
      { label: 'Tag types', to: '/tag-types', icon: IconTags },
      { label: 'Strategy types', to: '/strategies', icon: IconChessKnight },
      { label: 'Feature flag types', to: '/feature-toggle-type', icon: IconFlag2 },
    ],
  },
  {
    title: 'Admin',
    places: [
      { label: 'Users', to: '/admin/users', icon: IconUsers },
      { label: 'Service accounts', to: '/admin/service-accounts', icon: IconRobot },
      { label: 'Groups', to: '/admin/groups', icon: IconUsersGroup },
      { label: 'Roles', to: '/admin/roles', icon: IconShieldCheck },
      { label: 'API tokens', to: '/admin/api', icon: IconKey },
      { label: 'Single sign-on', to: '/admin/auth', icon: IconLogin2 },
      { label: 'Login history', to: '/admin/logins', icon: IconListSearch },
      { label: 'Instance', to: '/admin/instance', icon: IconSettings },
    ],
  },
] as const satisfies readonly {
  readonly title: string | undefined;
  readonly places: readonly { readonly label: string; readonly to: string; readonly icon: Icon }[];
}[];

/** A place that the main menu leads to. */
export type MenuPlace = (typeof sections)[number]['places'][number];

/** Whether somebody who is at `pathname` is at this place or below it. */
export function isAt({ to }: MenuPlace, pathname: string): boolean {
  return pathname === to || pathname.startsWith(`${to}/`);
}
