import { Button, Group, Menu } from '@mantine/core';
import { IconArchive, IconCopy, IconDots, IconHourglass } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Flag, useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { ActionItem } from '../../ui/row-menu.tsx';
import { ArchiveFlags } from './archive-flags.tsx';
import { ArchivedActions } from './archived-actions.tsx';
import { CloneFlag } from './clone-flag.tsx';

/** The actions for a flag. */
export function FlagMenu({ flag }: { readonly flag: Flag }) {
  const navigate = useNavigate();
  if (!flag.archived) return <LiveActions flag={flag} />;
  return (
    <Group gap="xs" wrap="nowrap">
      <ArchivedActions
        projectId={flag.project}
        names={[flag.name]}
        onDeleted={() => navigate({ to: '/projects/$projectId', params: { projectId: flag.project } })}
      />
    </Group>
  );
}

function LiveActions({ flag }: { readonly flag: Flag }) {
  const [open, setOpen] = useState<'clone' | 'archive'>();
  const navigate = useNavigate();
  const place = { project: flag.project };
  const stale = useFlagAction((value: boolean) =>
    api('POST /api/admin/projects/:projectId/stale', {
      params: { projectId: flag.project },
      body: { features: [flag.name], stale: value },
    }),
  );
  const mayDo = useMay()(['CREATE_FEATURE', 'UPDATE_FEATURE', 'DELETE_FEATURE'], place);
  if (!mayDo) return null;
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
          <ActionItem
            label="Clone"
            icon={<IconCopy size={16} />}
            needs="CREATE_FEATURE"
            place={place}
            run={() => setOpen('clone')}
          />
          <ActionItem
            label={flag.stale ? 'Mark as not stale' : 'Mark as stale'}
            icon={<IconHourglass size={16} />}
            needs="UPDATE_FEATURE"
            place={place}
            run={() => stale.mutate(!flag.stale)}
          />
          <ActionItem
            label="Archive"
            icon={<IconArchive size={16} />}
            needs="DELETE_FEATURE"
            place={place}
            run={() => setOpen('archive')}
          />
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
