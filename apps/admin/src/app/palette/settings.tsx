import { IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { settingsTabs } from '../../features/project-settings/settings-tabs.ts';
import { useMay } from '../../lib/me.ts';
import type { Entry } from './entry.ts';

/** Returns the settings pages of all projects that the user may see, once something is typed. */
export function useSettingsEntries(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const may = useMay();
  const { data } = useQuery(projectsQuery);
  if (query === '') return [];
  return (data?.projects ?? []).flatMap(({ id: projectId, name }) =>
    settingsTabs
      .filter(({ needs }) => may(needs, { project: projectId }))
      .map(({ label, to }) => ({
        id: `settings ${projectId} ${to}`,
        label: `${name}: ${label}`,
        description: 'Project settings',
        icon: <IconSettings size={18} aria-hidden />,
        run: () => void navigate({ to, params: { projectId } }),
      })),
  );
}
