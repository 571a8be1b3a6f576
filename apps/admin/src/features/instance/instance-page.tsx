import { Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../lib/me.ts';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { BannerList } from '../banners/banner-list.tsx';
import { Origins } from '../cors/origins.tsx';
import { LegalHold } from '../legal-hold/legal-hold.tsx';
import { Maintenance } from '../maintenance/maintenance.tsx';
import { type InstanceTab, instanceTabs } from './instance-search.ts';
import { Statistics } from './statistics.tsx';

const route = getRouteApi('/admin/instance');

const labels: Readonly<Record<InstanceTab, string>> = {
  statistics: 'Statistics',
  maintenance: 'Maintenance',
  banners: 'Banners',
  network: 'Network',
};

/** The settings and statistics of the installation. */
export function InstancePage() {
  // Only administrators see the statistics, because they include private projects.
  const withStatistics = useMay()('ADMIN');
  const tabs = instanceTabs.filter((name) => withStatistics || name !== 'statistics');
  const { tab = withStatistics ? 'statistics' : 'maintenance' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={titleOf('/admin/instance')}
      guide="guides/operating"
      description="Statistics and settings of this installation."
    >
      <Tabs
        value={tab}
        onChange={(chosen) => void navigate({ search: chosen === 'statistics' ? {} : { tab: chosen as InstanceTab } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {labels[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="statistics">
          <Statistics />
        </Tabs.Panel>
        <Tabs.Panel value="maintenance">
          <Stack gap="xl">
            <Maintenance />
            {withStatistics && <LegalHold />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="banners">
          <BannerList />
        </Tabs.Panel>
        <Tabs.Panel value="network">
          <Origins />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
