import { type Icon, IconFlag, IconHistory, IconPlugConnected, IconServer2 } from '@tabler/icons-react';

/** The main menu, which the command palette offers too. */
export const sections = [
  {
    title: undefined,
    places: [
      { label: 'Projects', to: '/projects', icon: IconFlag },
      { label: 'Event log', to: '/history', icon: IconHistory },
    ],
  },
  {
    title: 'Configure',
    places: [
      { label: 'Integrations', to: '/integrations', icon: IconPlugConnected },
      { label: 'Environments', to: '/environments', icon: IconServer2 },
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
