import { Breadcrumbs, Select, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { useMay } from '../../lib/me.ts';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { NotPermitted, NotPermittedMark } from '../../ui/permitted.tsx';
import { settingsTabs } from './settings-tabs.ts';

const route = getRouteApi('/projects/$projectId/settings');

const [general, ...others] = settingsTabs;

/** The header and tabs of the project settings. */
export function SettingsLayout() {
  const { projectId } = route.useParams();
  const project = useQuery(projectOverviewQuery(projectId));
  const navigate = useNavigate();
  const may = useMay();
  const place = { project: projectId };
  // The tab of the page that is rendered. The address cannot tell it, because it changes before the next tab is loaded.
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const current = others.find(({ to }) => to === path) ?? general;
  const open = (next: string | null) => {
    const tab = settingsTabs.find(({ to }) => to === next);
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
          data={settingsTabs.map(({ to, label }) => ({ value: to, label }))}
          value={current.to}
          onChange={open}
          allowDeselect={false}
        />
        <Tabs.List mb="lg" visibleFrom="sm">
          {settingsTabs.map((tab) => (
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
