import { Button, Group, Menu, Stack } from '@mantine/core';
import { IconArchive, IconCopy, IconDots, IconRestore, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { ArchiveFlags } from './archive-flags.tsx';
import { CloneFlag } from './clone-flag.tsx';
import { DeleteFlags } from './delete-flags.tsx';
import { type Flag, useFlagAction } from './flag-queries.ts';

/** What can be done to a flag as a whole. */
export function FlagMenu({ flag }: { readonly flag: Flag }) {
  return flag.archived ? <ArchivedActions flag={flag} /> : <LiveActions flag={flag} />;
}

function LiveActions({ flag }: { readonly flag: Flag }) {
  const [open, setOpen] = useState<'clone' | 'archive'>();
  const navigate = useNavigate();
  const may = useMay();
  const place = { project: flag.project };
  const stale = useFlagAction((value: boolean) =>
    api('POST /api/admin/projects/:projectId/stale', {
      params: { projectId: flag.project },
      body: { features: [flag.name], stale: value },
    }),
  );
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<IconDots size={16} aria-hidden />}
            loading={stale.isPending}
            style={{ flexShrink: 0 }}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => setOpen('clone')}
            disabled={!may('CREATE_FEATURE', place)}
          >
            Clone
          </Menu.Item>
          <Menu.Item onClick={() => stale.mutate(!flag.stale)} disabled={!may('UPDATE_FEATURE', place)}>
            {flag.stale ? 'Mark as not stale' : 'Mark as stale'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconArchive size={16} />}
            onClick={() => setOpen('archive')}
            disabled={!may('DELETE_FEATURE', place)}
          >
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'clone' && <CloneFlag flag={flag} onClose={() => setOpen(undefined)} />}
      {open === 'archive' && (
        <ArchiveFlags
          projectId={flag.project}
          names={[flag.name]}
          onClose={() => setOpen(undefined)}
          onDone={() => void navigate({ to: '/projects/$projectId', params: { projectId: flag.project } })}
        />
      )}
    </>
  );
}

function ArchivedActions({ flag }: { readonly flag: Flag }) {
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const place = { project: flag.project };
  const revive = useFlagAction(() =>
    api('POST /api/admin/projects/:projectId/revive', {
      params: { projectId: flag.project },
      body: { features: [flag.name] },
    }),
  );
  return (
    <Stack>
      <Group gap="xs" wrap="nowrap">
        <Permitted needs="UPDATE_FEATURE" place={place}>
          <Button
            variant="default"
            leftSection={<IconRestore size={16} aria-hidden />}
            onClick={() => revive.mutate(undefined)}
            loading={revive.isPending}
          >
            Revive
          </Button>
        </Permitted>
        <Permitted needs="DELETE_FEATURE" place={place}>
          <Button
            variant="light"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        </Permitted>
      </Group>
      {deleting && (
        <DeleteFlags
          projectId={flag.project}
          names={[flag.name]}
          onClose={() => setDeleting(false)}
          onDone={() => void navigate({ to: '/projects/$projectId', params: { projectId: flag.project } })}
        />
      )}
    </Stack>
  );
}
