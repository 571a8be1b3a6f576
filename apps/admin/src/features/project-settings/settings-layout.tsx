import { Breadcrumbs, Select, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { useMay } from '../../lib/me.ts';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { NotPermitted, NotPermittedMark } from '../../ui/permitted.tsx';
import { projectOverviewQuery } from '../flags/flag-queries.ts';

const route = getRouteApi('/projects/$projectId/settings');

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
  { label: 'Links', to: '/projects/$projectId/settings/links' },
  { label: 'Export and import', to: '/projects/$projectId/settings/transfer' },
] as const;

interface Tab extends Pick<(typeof tabs)[number], 'label' | 'to'> {
  /** The permission to see the tab; absent when everybody may. */
  readonly needs?: string;
}

const [general, ...others]: readonly [Tab, ...Tab[]] = tabs;

/** The header and tabs of the project settings. */
export function SettingsLayout() {
  const { projectId } = route.useParams();
  const project = useQuery(projectOverviewQuery(projectId));
  const navigate = useNavigate();
  const may = useMay();
  const place = { project: projectId };
  // The tab of the rendered page: the address changes before the next tab is loaded.
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const current = others.find(({ to }) => to === path) ?? general;
  const open = (next: string | null) => {
    const tab = tabs.find(({ to }) => to === next);
    if (tab !== undefined) void navigate({ to: tab.to, params: { projectId } });
  };
  return (
    <Page
      title="Project settings"
      description={
        <Breadcrumbs>
          <TextLink to="/projects" size="sm">
            Projects
          </TextLink>
          <TextLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {project.data?.name ?? projectId}
          </TextLink>
          <Text size="sm">Settings</Text>
        </Breadcrumbs>
      }
    >
      <Tabs value={current.to} onChange={open} activateTabWithKeyboard={false} keepMounted={false}>
        <Select
          hiddenFrom="sm"
          mb="lg"
          aria-label="Section"
          data={[general, ...others].map(({ to, label }) => ({ value: to, label }))}
          value={current.to}
          onChange={open}
          allowDeselect={false}
        />
        <Tabs.List mb="lg" visibleFrom="sm">
          {[general, ...others].map((tab) => (
            <Tabs.Tab
              key={tab.to}
              value={tab.to}
              rightSection={may(tab.needs, place) ? undefined : <NotPermittedMark />}
            >
              {tab.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current.to}>
          {current.needs === undefined || may(current.needs, place) ? (
            <Outlet />
          ) : (
            <NotPermitted needs={current.needs} place={place} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Returns the id of the project whose settings are open. */
export function useSettingsProject(): string {
  return route.useParams().projectId;
}
