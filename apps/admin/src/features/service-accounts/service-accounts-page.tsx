import { Anchor, Table } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Seen } from '../../ui/expiry.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Named } from '../../ui/named.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
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
      <Loaded query={accounts}>
        {(data) =>
          data.serviceAccounts.length === 0 ? (
            <EmptyState title="No service accounts yet">
              Make one for each program that changes flags, such as your pipeline, and give it a token.
            </EmptyState>
          ) : (
            <AccountTable accounts={data} onOpen={(kind, { id }) => setOpen({ kind, id })} />
          )
        }
      </Loaded>
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

interface TableProps {
  readonly accounts: ServiceAccounts;
  readonly onOpen: (kind: Open['kind'], account: ServiceAccount) => void;
}

function AccountTable({ accounts: { serviceAccounts, rootRoles }, onOpen }: TableProps) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Root role</Table.Th>
            <Table.Th>Tokens</Table.Th>
            <Table.Th visibleFrom="sm">Last seen</Table.Th>
            <Table.Th w={56} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {serviceAccounts.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td>
                <Named name={account.name ?? account.username}>{account.username}</Named>
              </Table.Td>
              <Table.Td>{rootRoles.find(({ id }) => id === account.rootRole)?.name}</Table.Td>
              <Table.Td>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  style={{ whiteSpace: 'nowrap' }}
                  onClick={() => onOpen('tokens', account)}
                >
                  {account.tokens.length === 1 ? '1 token' : `${account.tokens.length} tokens`}
                </Anchor>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Seen at={account.seenAt} />
              </Table.Td>
              <Table.Td>
                <RowMenu
                  of={account.username}
                  actions={[
                    { label: 'Tokens', icon: <IconKey size={16} />, run: () => onOpen('tokens', account) },
                    editAction(() => onOpen('edit', account), { needs: 'ADMIN' }),
                    deleteAction(() => onOpen('remove', account), { needs: 'ADMIN' }),
                  ]}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
