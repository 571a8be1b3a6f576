import { Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../lib/me.ts';
import { tabsOf, titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { BannerList } from '../banners/index.ts';
import { Origins } from '../cors/index.ts';
import { LegalHold } from '../legal-hold/index.ts';
import { Maintenance } from '../maintenance/index.ts';
import type { InstanceTab } from './instance-search.ts';
import { Statistics } from './statistics.tsx';

const route = getRouteApi('/admin/instance');

/** The settings and statistics of the installation. */
export function InstancePage() {
  const may = useMay();
  const tabs = tabsOf('/admin/instance').filter(({ needs }) => may(needs));
  const { tab = tabs[0]?.tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={titleOf('/admin/instance')}
      guide="guides/operating"
      description="Statistics and settings of this installation."
    >
      <Tabs
        value={tab ?? null}
        onChange={(chosen) => void navigate({ search: chosen === 'statistics' ? {} : { tab: chosen as InstanceTab } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(({ tab, label }) => (
            <Tabs.Tab key={tab} value={tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="statistics">
          <Statistics />
        </Tabs.Panel>
        <Tabs.Panel value="maintenance">
          <Stack gap="xl">
            <Maintenance />
            {may('ADMIN') && <LegalHold />}
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
