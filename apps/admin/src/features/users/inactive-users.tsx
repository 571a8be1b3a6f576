import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type InactiveUser, inactiveUsersQuery, nameOf } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Seen } from '../../ui/expiry.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { Permitted } from '../../ui/permitted.tsx';

/** Lists users who have been inactive for long, to delete them together. */
export function InactiveUsers() {
  const inactive = useQuery(inactiveUsersQuery);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [asking, setAsking] = useState(false);
  const choose = (ids: readonly number[], on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  return (
    <Loaded query={inactive}>
      {(users) => {
        if (users.length === 0)
          return (
            <EmptyState title="No inactive users">
              Users who have not logged in or used a token for a long time are listed here, so that you can delete them.
            </EmptyState>
          );
        const ids = users.map(({ id }) => id).filter((id) => chosen.has(id));
        return (
          <Stack>
            <Group>
              <Permitted needs="ADMIN">
                <Button color="red" variant="light" disabled={ids.length === 0} onClick={() => setAsking(true)}>
                  Delete {ids.length === 0 ? 'users' : ids.length === 1 ? '1 user' : `${ids.length} users`}
                </Button>
              </Permitted>
            </Group>
            <InactiveTable users={users} chosen={chosen} onChoose={choose} />
            {asking && (
              <Confirm
                title="Delete inactive users?"
                action={ids.length === 1 ? 'Delete 1 user' : `Delete ${ids.length} users`}
                run={() => api('POST /api/admin/user-admin/inactive/delete', { body: { ids } })}
                changes={['GET /api/admin/user-admin', 'GET /api/admin/user-admin/inactive']}
                onClose={() => setAsking(false)}
                onDone={() => setChosen(new Set())}
              >
                Their personal access tokens stop working. Their events stay in the event log.
              </Confirm>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

interface TableProps {
  readonly users: readonly InactiveUser[];
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (ids: readonly number[], on: boolean) => void;
}

function InactiveTable({ users, chosen, onChoose }: TableProps) {
  const all = users.every(({ id }) => chosen.has(id));
  return (
    <Listing
      rows={users}
      rowKey={({ id }) => id}
      columns={[
        {
          header: (
            <Checkbox
              aria-label="All users"
              checked={all}
              indeterminate={!all && users.some(({ id }) => chosen.has(id))}
              onChange={() =>
                onChoose(
                  users.map(({ id }) => id),
                  !all,
                )
              }
            />
          ),
          width: 40,
          cell: (user) => (
            <Checkbox
              aria-label={nameOf(user)}
              checked={chosen.has(user.id)}
              onChange={({ currentTarget }) => onChoose([user.id], currentTarget.checked)}
            />
          ),
        },
        { header: 'Name', cell: (user) => <NameCell name={nameOf(user)}>{user.email}</NameCell> },
        { header: 'Last seen', cell: ({ seenAt }) => <Seen at={seenAt} /> },
        { header: 'Token last used', visibleFrom: 'sm', cell: ({ patSeenAt }) => <Seen at={patSeenAt} /> },
      ]}
    />
  );
}
