import { Anchor } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Seen } from '../../ui/expiry.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { AccountForm } from './account-form.tsx';
import { type ServiceAccount, type ServiceAccounts, serviceAccountsQuery } from './account-queries.ts';
import { AccountTokens } from './account-tokens.tsx';

interface Open {
  readonly kind: 'edit' | 'tokens' | 'remove';
  readonly id: number;
}

/** The page of the service accounts: accounts of programs, with tokens and a root role but no password. */
export function ServiceAccountsPage() {
  const accounts = useQuery(serviceAccountsQuery);
  const [open, setOpen] = useState<Open>();
  const [making, setMaking] = useState(false);
  const close = () => setOpen(undefined);
  const current = accounts.data?.serviceAccounts.find(({ id }) => id === open?.id);
  return (
    <Page
      title={titleOf('/admin/service-accounts')}
      description="Accounts for programs that call the admin API. Their changes are listed in the event log under their own name."
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
          Programs that use a token of <b>{current.name}</b> will lose access. Its events stay in the event log.
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
    { header: 'Name', cell: ({ name, username }) => <NameCell name={name ?? username}>{username}</NameCell> },
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
