import { Anchor } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Seen } from '../../ui/expiry.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Named } from '../../ui/named.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { AccountForm } from './account-form.tsx';
import { type ServiceAccount, type ServiceAccounts, serviceAccountsQuery } from './account-queries.ts';
import { AccountTokens } from './account-tokens.tsx';

interface Open {
  readonly kind: 'edit' | 'tokens' | 'remove';
  readonly id: number;
}

/** Accounts of programs: they have tokens and a root role, and no password. */
export function ServiceAccountsPage() {
  const accounts = useQuery(serviceAccountsQuery);
  const [open, setOpen] = useState<Open>();
  const [making, setMaking] = useState(false);
  const close = () => setOpen(undefined);
  const current = accounts.data?.serviceAccounts.find(({ id }) => id === open?.id);
  return (
    <Page
      title={titleOf('/admin/service-accounts')}
      description="Programs that call the admin API have an account of their own, so that the event log tells what they did."
      actions={
        <NewButton needs="ADMIN" onClick={() => setMaking(true)}>
          New service account
        </NewButton>
      }
    >
      <Listing
        query={accounts}
        rows={accounts.data?.serviceAccounts}
        rowKey={({ id }) => id}
        highlightOnHover
        empty={
          <EmptyState title="No service accounts yet">
            Create one for each program that changes flags, such as your pipeline, and give it a token.
          </EmptyState>
        }
        columns={columnsOf(accounts.data?.rootRoles ?? [], ({ id }) => setOpen({ kind: 'tokens', id }))}
        menu={({ id, username }) => ({
          of: username,
          actions: [
            { label: 'Tokens', icon: <IconKey size={16} />, run: () => setOpen({ kind: 'tokens', id }) },
            editAction(() => setOpen({ kind: 'edit', id }), { needs: 'ADMIN' }),
            deleteAction(() => setOpen({ kind: 'remove', id }), { needs: 'ADMIN' }),
          ],
        })}
      />
      {making && <AccountForm onClose={() => setMaking(false)} />}
      {open?.kind === 'edit' && current !== undefined && <AccountForm account={current} onClose={close} />}
      {open?.kind === 'tokens' && current !== undefined && <AccountTokens account={current} onClose={close} />}
      {open?.kind === 'remove' && current !== undefined && (
        <Confirm
          title="Delete service account?"
          action="Delete service account"
          typed={current.username}
          run={() => api('DELETE /api/admin/service-account/:id', { params: { id: current.id } })}
          changes={['GET /api/admin/service-account']}
          onClose={close}
        >
          What uses a token of <b>{current.name}</b> is refused from then on. What it did stays in the event log.
        </Confirm>
      )}
    </Page>
  );
}

function columnsOf(
  rootRoles: ServiceAccounts['rootRoles'],
  onTokens: (account: ServiceAccount) => void,
): readonly Column<ServiceAccount>[] {
  return [
    { header: 'Name', cell: ({ name, username }) => <Named name={name ?? username}>{username}</Named> },
    { header: 'Root role', cell: ({ rootRole }) => rootRoles.find(({ id }) => id === rootRole)?.name },
    {
      header: 'Tokens',
      breaks: 'never',
      cell: (account) => (
        <Anchor component="button" type="button" size="sm" onClick={() => onTokens(account)}>
          {account.tokens.length === 1 ? '1 token' : `${account.tokens.length} tokens`}
        </Anchor>
      ),
    },
    { header: 'Last seen', visibleFrom: 'sm', cell: ({ seenAt }) => <Seen at={seenAt} /> },
  ];
}
