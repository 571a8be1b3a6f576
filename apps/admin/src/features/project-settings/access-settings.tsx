import { Badge, Group } from '@mantine/core';
import { IconPencil, IconUser, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { removeAction } from '../../ui/row-menu.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { AddAccess, EditAccess } from './access-form.tsx';
import { type Member, membersOf, type ProjectAccess, projectAccessQuery } from './access-queries.ts';
import { useSettingsProject } from './settings-layout.tsx';

const needs = ['PROJECT_USER_ACCESS_WRITE', 'UPDATE_PROJECT'];

/** The panel or dialog over the table. */
type Open = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly member: Member };

/** The members of a project. */
export function AccessSettings() {
  const projectId = useSettingsProject();
  const access = useQuery(projectAccessQuery(projectId));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <SectionCard
      title="Project access"
      description="Users and groups with roles in this project. Root roles apply in all projects and are not listed."
      actions={
        <NewButton needs={needs} place={{ project: projectId }} onClick={() => setOpen({ kind: 'add' })}>
          Assign user or group
        </NewButton>
      }
    >
      <Loaded query={access}>
        {(data) => (
          <>
            <MemberTable projectId={projectId} access={data} onOpen={(kind, member) => setOpen({ kind, member })} />
            {open?.kind === 'add' && <AddAccess projectId={projectId} access={data} onClose={close} />}
            {open?.kind === 'edit' && (
              <EditAccess projectId={projectId} access={data} member={open.member} onClose={close} />
            )}
          </>
        )}
      </Loaded>
      {open?.kind === 'remove' && <RemoveAccess projectId={projectId} member={open.member} onClose={close} />}
    </SectionCard>
  );
}

interface TableProps {
  readonly projectId: string;
  readonly access: ProjectAccess;
  readonly onOpen: (kind: 'edit' | 'remove', member: Member) => void;
}

function MemberTable({ projectId, access, onOpen }: TableProps) {
  const place = { project: projectId };
  return (
    <Listing
      rows={membersOf(access)}
      rowKey={({ kind, id }) => `${kind} ${id}`}
      empty={
        <EmptyState title="No members yet">
          Assign the people who work on this project. An Owner may do everything in it, a Member works on its flags.
        </EmptyState>
      }
      columns={columnsOf(access.roles)}
      menu={(member) => ({
        of: member.name,
        actions: [
          {
            label: 'Edit roles',
            icon: <IconPencil size={16} />,
            needs,
            place,
            run: () => onOpen('edit', member),
          },
          removeAction(() => onOpen('remove', member), { needs, place }),
        ],
      })}
    />
  );
}

function columnsOf(roles: ProjectAccess['roles']): readonly Column<Member>[] {
  return [
    { header: 'Name', cell: (member) => <MemberName member={member} /> },
    {
      header: 'Roles',
      cell: (member) => (
        <Group gap={4}>
          {member.roles.map((id) => (
            <Badge key={id} color="gray">
              {roles.find((role) => role.id === id)?.name ?? `#${id}`}
            </Badge>
          ))}
        </Group>
      ),
    },
    { header: 'Added', visibleFrom: 'sm', cell: ({ addedAt }) => <RelativeTime at={addedAt} /> },
  ];
}

function MemberName({ member: { kind, name, detail } }: { readonly member: Member }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {kind === 'group' ? <IconUsers size={18} aria-label="Group" /> : <IconUser size={18} aria-hidden />}
      <div>
        <NameCell name={name}>{detail}</NameCell>
      </div>
    </Group>
  );
}

interface RemoveProps {
  readonly projectId: string;
  readonly member: Member;
  readonly onClose: () => void;
}

function RemoveAccess({ projectId, member: { kind, id, name }, onClose }: RemoveProps) {
  return (
    <Confirm
      title="Remove from the project?"
      action="Remove"
      run={() =>
        kind === 'user'
          ? api('DELETE /api/admin/projects/:projectId/users/:userId/roles', { params: { projectId, userId: id } })
          : api('DELETE /api/admin/projects/:projectId/groups/:groupId/roles', { params: { projectId, groupId: id } })
      }
      changes={['GET /api/admin/projects/:projectId/access']}
      onClose={onClose}
    >
      <b>{name}</b> loses all roles in this project.
    </Confirm>
  );
}
