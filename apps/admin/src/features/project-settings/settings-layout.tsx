import { Breadcrumbs, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { projectOverviewQuery } from '../flags/flag-queries.ts';

const route = getRouteApi('/projects/$projectId/settings');

const tabs = [
  { label: 'General', to: '/projects/$projectId/settings' },
  { label: 'Access', to: '/projects/$projectId/settings/access' },
  { label: 'API access', to: '/projects/$projectId/settings/api-access' },
  { label: 'Environments', to: '/projects/$projectId/settings/environments' },
  { label: 'Change requests', to: '/projects/$projectId/settings/change-requests' },
  { label: 'Actions', to: '/projects/$projectId/settings/actions' },
  { label: 'Segments', to: '/projects/$projectId/settings/segments' },
  { label: 'Context fields', to: '/projects/$projectId/settings/context-fields' },
  { label: 'Links', to: '/projects/$projectId/settings/links' },
  { label: 'Export and import', to: '/projects/$projectId/settings/transfer' },
] as const;

const general = tabs[0].to;

/** What is around the settings of a project. */
export function SettingsLayout() {
  const { projectId } = route.useParams();
  const project = useQuery(projectOverviewQuery(projectId));
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = tabs.find(({ to }) => to !== general && pathname.endsWith(to.slice(general.length)))?.to ?? general;
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
      <Tabs
        value={current}
        onChange={(next) => {
          const tab = tabs.find(({ to }) => to === next);
          if (tab !== undefined) void navigate({ to: tab.to, params: { projectId } });
        }}
        activateTabWithKeyboard={false}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map(({ to, label }) => (
            <Tabs.Tab key={to} value={to}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current}>
          <Outlet />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** The project whose settings are open. */
export function useSettingsProject(): string {
  return route.useParams().projectId;
}
