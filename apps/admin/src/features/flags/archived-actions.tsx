import { Button } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { DeleteFlags } from './delete-flags.tsx';
import { notifyFlagsChanged } from './switch-flags.tsx';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly size?: 'xs' | 'sm';
  readonly onRevived?: () => void;
  /** Awaited before cached answers are invalidated, so that it can leave the page of a deleted flag. */
  readonly onDeleted: () => unknown;
}

/** The buttons that revive or delete archived flags. */
export function ArchivedActions({ projectId, names, size = 'sm', onRevived, onDeleted }: Props) {
  const [deleting, setDeleting] = useState(false);
  const revive = useFlagAction(
    () => api('POST /api/admin/projects/:projectId/revive', { params: { projectId }, body: { features: [...names] } }),
    () => {
      notifyFlagsChanged(names.length, 'revived and off in every environment');
      onRevived?.();
    },
  );
  const place = { project: projectId };
  return (
    <>
      <Permitted needs="UPDATE_FEATURE" place={place}>
        <Button
          size={size}
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
          size={size}
          variant="light"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setDeleting(true)}
        >
          Delete
        </Button>
      </Permitted>
      {deleting && (
        <DeleteFlags
          projectId={projectId}
          names={names}
          onClose={() => setDeleting(false)}
          onDone={() => {
            notifyFlagsChanged(names.length, 'deleted');
            return onDeleted();
          }}
        />
      )}
    </>
  );
}
