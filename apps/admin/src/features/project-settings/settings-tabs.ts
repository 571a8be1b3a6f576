const tabs = [
  { label: 'General', to: '/projects/$projectId/settings' },
  {
    label: 'Access',
    to: '/projects/$projectId/settings/access',
    needs: 'PROJECT_USER_ACCESS_READ',
  },
  { label: 'API access', to: '/projects/$projectId/settings/api-access', needs: 'READ_PROJECT_API_TOKEN' },
  { label: 'Environments', to: '/projects/$projectId/settings/environments' },
  { label: 'Change requests', to: '/projects/$projectId/settings/change-requests' },
  { label: 'Actions', to: '/projects/$projectId/settings/actions', needs: 'READ_ACTIONS' },
  { label: 'Segments', to: '/projects/$projectId/settings/segments' },
  { label: 'Context fields', to: '/projects/$projectId/settings/context-fields' },
  { label: 'Release templates', to: '/projects/$projectId/settings/release-templates' },
  { label: 'Links', to: '/projects/$projectId/settings/links' },
  { label: 'Export and import', to: '/projects/$projectId/settings/transfer' },
] as const;

interface Tab extends Pick<(typeof tabs)[number], 'label' | 'to'> {
  /** The permission to see the tab; absent when every user may see it. */
  readonly needs?: string;
}

/** The tabs of the project settings. The settings and the command palette use this list. */
export const settingsTabs: readonly [Tab, ...Tab[]] = tabs;
