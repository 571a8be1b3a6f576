import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { tabsOf, titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { InviteLinks } from '../invite-links/index.ts';
import { InactiveUsers } from './inactive-users.tsx';
import { UserForm } from './user-form.tsx';
import { UserList } from './user-list.tsx';
import type { UserSearch } from './user-search.ts';

const route = getRouteApi('/admin/users');

/** The page of the users. */
export function UsersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [making, setMaking] = useState(false);
  const change = (part: UserSearch) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const tab = search.tab ?? 'users';
  return (
    <Page
      title={titleOf('/admin/users')}
      description="People with an account. Their permissions come from their root role, groups and projects."
      actions={
        <NewButton needs="ADMIN" onClick={() => setMaking(true)}>
          New user
        </NewButton>
      }
    >
      <Tabs value={tab} onChange={(chosen) => void navigate({ search: readTab(chosen) })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="users">Users</Tabs.Tab>
          {tabsOf('/admin/users').map(({ tab, label }) => (
            <Tabs.Tab key={tab} value={tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="users">
          <UserList search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="inactive">
          <InactiveUsers />
        </Tabs.Panel>
        <Tabs.Panel value="invite-links">
          <InviteLinks />
        </Tabs.Panel>
      </Tabs>
      {making && <UserForm onClose={() => setMaking(false)} />}
    </Page>
  );
}

function readTab(chosen: string | null): UserSearch {
  return chosen === 'inactive' || chosen === 'invite-links' ? { tab: chosen } : {};
}
