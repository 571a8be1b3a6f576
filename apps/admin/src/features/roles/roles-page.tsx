import { Tabs } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isBuiltIn, isOfProjects, type Role, rolesQuery } from '../../entities/roles/role-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { tabsOf, titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { SmallBadge } from '../../ui/text.tsx';
import { RoleForm } from './role-form.tsx';

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly role: Role };

const route = getRouteApi('/admin/roles');

/** The page of the root roles and the project roles. */
export function RolesPage() {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const roles = useQuery(rolesQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const ofProjects = tab === 'project';
  return (
    <Page
      title={titleOf('/admin/roles')}
      description="Root roles apply to the whole instance, project roles to single projects."
      actions={
        <NewButton needs="ADMIN" onClick={() => setOpen({ kind: 'new' })}>
          {ofProjects ? 'New project role' : 'New root role'}
        </NewButton>
      }
    >
      <Tabs
        value={ofProjects ? 'project' : 'root'}
        onChange={(chosen) => void navigate({ search: chosen === 'project' ? { tab: 'project' } : {} })}
      >
        <Tabs.List>
          {tabsOf('/admin/roles').map(({ tab, label }) => (
            <Tabs.Tab key={tab} value={tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={ofProjects ? 'project' : 'root'} pt="md">
          <Listing
            query={roles}
            rows={roles.data?.filter((role) => isOfProjects(role) === ofProjects)}
            rowKey={({ id }) => id}
            skeletonRows={3}
            highlightOnHover
            columns={[{ header: 'Name', cell: (role) => <RoleName role={role} /> }]}
            menu={(role) => ({ of: role.name, actions: actionsOf(role, setOpen) })}
          />
        </Tabs.Panel>
      </Tabs>
      {open?.kind === 'new' && <RoleForm ofProjects={ofProjects} onClose={close} />}
      {open?.kind === 'edit' && <RoleForm role={open.role} ofProjects={ofProjects} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete role?"
          action="Delete role"
          typed={open.role.name}
          run={() => api('DELETE /api/admin/roles/:roleId', { params: { roleId: open.role.id } })}
          changes={['GET /api/admin/roles']}
          onClose={close}
        >
          A role that is in use cannot be deleted. Assign its users another role first.
        </Confirm>
      )}
    </Page>
  );
}

function RoleName({ role }: { readonly role: Role }) {
  return (
    <NameCell name={role.name} badges={isBuiltIn(role) && <SmallBadge color="gray">Built in</SmallBadge>}>
      {role.description}
    </NameCell>
  );
}

function actionsOf(role: Role, onOpen: (open: Open) => void) {
  const look = () => onOpen({ kind: 'edit', role });
  if (isBuiltIn(role)) return [{ label: 'View permissions', icon: <IconEye size={16} />, run: look }];
  return [
    editAction(look, { needs: 'ADMIN' }),
    deleteAction(() => onOpen({ kind: 'remove', role }), { needs: 'ADMIN' }),
  ];
}
