import { Pagination, Stack } from '@mantine/core';
import { IconDevices, IconKey, IconLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOf, type Person, type RootRole, usersQuery } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { meQuery } from '../../lib/me.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Seen } from '../../ui/expiry.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { SmallBadge } from '../../ui/text.tsx';
import { UserSessions } from '../sessions/index.ts';
import { PasswordForm } from './password-form.tsx';
import { type PasswordLink, PasswordLinkOnce } from './password-link.tsx';
import { UserForm } from './user-form.tsx';
import type { UserSearch } from './user-search.ts';

interface Props {
  readonly search: UserSearch;
  readonly onChange: (part: UserSearch) => void;
}

interface Open {
  readonly kind: 'edit' | 'password' | 'sessions' | 'remove';
  readonly user: Person;
}

const pageSize = 50;

/** Lists users, with search and a menu for each. */
export function UserList({ search: { query = '', page = 1 }, onChange }: Props) {
  const users = useQuery(usersQuery);
  const report = useReportError();
  const [open, setOpen] = useState<Open>();
  const [link, setLink] = useState<PasswordLink>();
  const reset = useMutation({
    mutationFn: (id: number) => api('POST /api/admin/user-admin/reset-password', { body: { id } }),
    onSuccess: ({ resetPasswordUrl: url, emailSent }) => setLink({ url, emailSent }),
    onError: report,
  });
  const close = () => setOpen(undefined);
  return (
    <Stack>
      <SearchInput
        label="Search users"
        placeholder="Search by name or e-mail"
        value={query}
        onChange={(text) => onChange({ query: text, page: undefined })}
      />
      <Loaded query={users}>
        {({ users: all, rootRoles }) => {
          const found = all.filter((user) => matches(user, query));
          const pages = Math.ceil(found.length / pageSize);
          const shown = found.slice((Math.min(page, Math.max(pages, 1)) - 1) * pageSize).slice(0, pageSize);
          return (
            <>
              <UserTable
                users={shown}
                roles={rootRoles}
                onOpen={(kind, user) => setOpen({ kind, user })}
                onReset={({ id }) => reset.mutate(id)}
              />
              {pages > 1 && (
                <Pagination
                  value={page}
                  total={pages}
                  onChange={(next) => onChange({ page: next > 1 ? next : undefined })}
                  getControlProps={(control) => ({ 'aria-label': `${control} page` })}
                />
              )}
            </>
          );
        }}
      </Loaded>
      {open?.kind === 'edit' && <UserForm user={open.user} onClose={close} />}
      {open?.kind === 'password' && <PasswordForm user={open.user} onClose={close} />}
      {open?.kind === 'sessions' && <UserSessions userId={open.user.id} name={nameOf(open.user)} onClose={close} />}
      {open?.kind === 'remove' && <RemoveUser user={open.user} onClose={close} />}
      {link !== undefined && (
        <PasswordLinkOnce title="Password reset link" link={link} onClose={() => setLink(undefined)}>
          It works once, within 24 hours. Earlier links no longer work.
        </PasswordLinkOnce>
      )}
    </Stack>
  );
}

function matches(user: Person, query: string): boolean {
  const words = query.trim().toLowerCase();
  return (
    [user.name, user.username, user.email].some((text) => text?.toLowerCase().includes(words) === true) || words === ''
  );
}

interface TableProps {
  readonly users: readonly Person[];
  readonly roles: readonly RootRole[];
  readonly onOpen: (kind: Open['kind'], user: Person) => void;
  readonly onReset: (user: Person) => void;
}

function UserTable({ users, roles, onOpen, onReset }: TableProps) {
  const { data: me } = useQuery(meQuery);
  return (
    <Listing
      rows={users}
      rowKey={({ id }) => id}
      filtered="users"
      highlightOnHover
      columns={[
        { header: 'Name', cell: (user) => <UserName user={user} isReader={user.id === me?.user.id} /> },
        { header: 'Root role', cell: ({ rootRole }) => roles.find(({ id }) => id === rootRole)?.name },
        { header: 'Last seen', visibleFrom: 'sm', cell: ({ seenAt }) => <Seen at={seenAt} /> },
        { header: 'Sessions', visibleFrom: 'md', align: 'right', cell: ({ activeSessions }) => activeSessions },
      ]}
      menu={(user) => ({
        of: nameOf(user),
        actions: [
          editAction(() => onOpen('edit', user), { needs: 'ADMIN' }),
          { label: 'Password reset link', icon: <IconKey size={16} />, needs: 'ADMIN', run: () => onReset(user) },
          {
            label: 'Set a password',
            icon: <IconLock size={16} />,
            needs: 'ADMIN',
            run: () => onOpen('password', user),
          },
          { label: 'Sessions', icon: <IconDevices size={16} />, needs: 'ADMIN', run: () => onOpen('sessions', user) },
          deleteAction(() => onOpen('remove', user), {
            needs: 'ADMIN',
            impossible: user.id === me?.user.id ? 'You cannot delete your own account.' : undefined,
          }),
        ],
      })}
    />
  );
}

function UserName({ user, isReader }: { readonly user: Person; readonly isReader: boolean }) {
  return (
    <NameCell name={nameOf(user)} badges={isReader && <SmallBadge>You</SmallBadge>}>
      {[user.username, user.email].filter((text) => text !== null && text !== undefined).join(' · ')}
    </NameCell>
  );
}

function RemoveUser({ user, onClose }: { readonly user: Person; readonly onClose: () => void }) {
  return (
    <Confirm
      title="Delete user?"
      action="Delete user"
      typed={user.username ?? user.email ?? nameOf(user)}
      run={() => api('DELETE /api/admin/user-admin/:id', { params: { id: user.id } })}
      changes={['GET /api/admin/user-admin', 'GET /api/admin/user-admin/inactive']}
      onClose={onClose}
    >
      The sessions and personal access tokens of <b>{nameOf(user)}</b> stop working. Events of the user stay in the
      event log.
    </Confirm>
  );
}
