import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RootRole, usersQuery } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { SmallBadge } from '../../ui/text.tsx';
import { GroupForm } from './group-form.tsx';
import { groupsQuery, type UserGroup } from './group-queries.ts';

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly group: UserGroup };

/** The groups of users. */
export function GroupsPage() {
  const groups = useQuery(groupsQuery);
  const { data: users } = useQuery(usersQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const button = (
    <NewButton needs="ADMIN" onClick={() => setOpen({ kind: 'new' })}>
      New group
    </NewButton>
  );
  return (
    <Page title={titleOf('/admin/groups')} description="Users who share roles." actions={button}>
      <Listing
        query={groups}
        rows={groups.data}
        rowKey={({ id }) => id}
        skeletonRows={3}
        highlightOnHover
        empty={
          <EmptyState title="No groups yet" action={button}>
            Put a team into a group, and give the group a role in the projects that the team works on.
          </EmptyState>
        }
        columns={columnsOf(users?.rootRoles ?? [])}
        menu={(group) => ({
          of: group.name,
          actions: [
            editAction(() => setOpen({ kind: 'edit', group }), { needs: 'ADMIN' }),
            deleteAction(() => setOpen({ kind: 'remove', group }), { needs: 'ADMIN' }),
          ],
        })}
      />
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
          Its users lose the roles that they have through <b>{open.group.name}</b>. The users themselves are kept.
        </Confirm>
      )}
    </Page>
  );
}

function columnsOf(rootRoles: readonly RootRole[]): readonly Column<UserGroup>[] {
  return [
    { header: 'Name', cell: (group) => <GroupName group={group} /> },
    { header: 'Users', cell: ({ userCount }) => userCount },
    {
      header: 'Root role',
      visibleFrom: 'sm',
      cell: ({ rootRole }) => rootRoles.find(({ id }) => id === rootRole)?.name ?? 'None',
    },
    {
      header: 'Projects',
      visibleFrom: 'sm',
      cell: ({ projects }) => (projects.length === 0 ? 'None' : projects.join(', ')),
    },
  ];
}

function GroupName({ group: { name, description, mappingsSSO } }: { readonly group: UserGroup }) {
  return (
    <NameCell
      name={name}
      badges={mappingsSSO.map((mapping) => (
        <SmallBadge key={mapping} color="gray">
          {mapping}
        </SmallBadge>
      ))}
    >
      {description}
    </NameCell>
  );
}
