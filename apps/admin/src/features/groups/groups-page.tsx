import { Badge, Button, Table } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Named } from '../../ui/named.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { titleOf } from '../../ui/places.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { usersQuery } from '../users/user-queries.ts';
import { GroupForm } from './group-form.tsx';
import { groupsQuery, type UserGroup } from './group-queries.ts';

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly group: UserGroup };

/** Users that are given roles together. */
export function GroupsPage() {
  const groups = useQuery(groupsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const button = (
    <Permitted needs="ADMIN">
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ kind: 'new' })}>
        New group
      </Button>
    </Permitted>
  );
  return (
    <Page title={titleOf('/admin/groups')} description="Users that are given roles together." actions={button}>
      <Loaded query={groups} rows={3}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No groups yet" action={button}>
              Put a team into a group, and give the group a role in the projects that the team works on.
            </EmptyState>
          ) : (
            <GroupTable groups={list} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open?.kind === 'new' && <GroupForm onClose={close} />}
      {open?.kind === 'edit' && <GroupForm group={open.group} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete group?"
          action="Delete group"
          typed={open.group.name}
          run={() => api('DELETE /api/admin/groups/:groupId', { params: { groupId: open.group.id } })}
          changes={['GET /api/admin/groups']}
          onClose={close}
        >
          Its users stay, but the roles that they have through <b>{open.group.name}</b> are gone.
        </Confirm>
      )}
    </Page>
  );
}

interface TableProps {
  readonly groups: readonly UserGroup[];
  readonly onOpen: (open: Open) => void;
}

function GroupTable({ groups, onOpen }: TableProps) {
  const { data: users } = useQuery(usersQuery);
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Users</Table.Th>
            <Table.Th visibleFrom="sm">Root role</Table.Th>
            <Table.Th visibleFrom="sm">Projects</Table.Th>
            <Table.Th w={56} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) => (
            <Table.Tr key={group.id}>
              <Table.Td>
                <Named
                  name={group.name}
                  badges={group.mappingsSSO.map((mapping) => (
                    <Badge key={mapping} size="sm" variant="light" color="gray" tt="none">
                      {mapping}
                    </Badge>
                  ))}
                >
                  {group.description}
                </Named>
              </Table.Td>
              <Table.Td>{group.userCount}</Table.Td>
              <Table.Td visibleFrom="sm">
                {users?.rootRoles.find(({ id }) => id === group.rootRole)?.name ?? 'None'}
              </Table.Td>
              <Table.Td visibleFrom="sm">{group.projects.length === 0 ? 'None' : group.projects.join(', ')}</Table.Td>
              <Table.Td>
                <RowMenu
                  of={group.name}
                  actions={[
                    editAction(() => onOpen({ kind: 'edit', group }), { needs: 'ADMIN' }),
                    deleteAction(() => onOpen({ kind: 'remove', group }), { needs: 'ADMIN' }),
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
