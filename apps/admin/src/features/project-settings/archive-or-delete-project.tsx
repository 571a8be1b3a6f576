import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

interface Props {
  readonly projectId: string;
  readonly name: string;
  /** The number of active flags. */
  readonly flags: number;
}

/** Archives or deletes a project. */
export function ArchiveOrDeleteProject({ projectId, name, flags }: Props) {
  const [ending, setEnding] = useState<'archive' | 'delete'>();
  const navigate = useNavigate();
  const reason =
    projectId === 'default'
      ? 'The project "default" cannot be archived or deleted.'
      : flags > 0
        ? 'Archive all flags of the project first.'
        : 'Archived projects are listed separately and can be revived. Deleted projects cannot be restored.';
  const impossible = projectId === 'default' || flags > 0;
  const common = {
    changes: ['GET /api/admin/projects'],
    onClose: () => setEnding(undefined),
    onDone: () => void navigate({ to: '/projects' }),
  } as const;
  return (
    <SectionCard title="Archive or delete the project" description={reason}>
      <Group>
        <Permitted needs="DELETE_PROJECT" place={{ project: projectId }}>
          <Button variant="default" onClick={() => setEnding('archive')} disabled={impossible}>
            Archive project
          </Button>
        </Permitted>
        <Permitted needs="DELETE_PROJECT" place={{ project: projectId }}>
          <Button color="red" variant="outline" onClick={() => setEnding('delete')} disabled={impossible}>
            Delete project
          </Button>
        </Permitted>
      </Group>
      {ending === 'archive' && (
        <Confirm
          title="Archive project?"
          action="Archive project"
          run={() => api('POST /api/admin/projects/archive/:projectId', { params: { projectId } })}
          {...common}
        >
          You can revive <b>{name}</b> later.
        </Confirm>
      )}
      {ending === 'delete' && (
        <Confirm
          title="Delete project?"
          action="Delete project"
          typed={projectId}
          run={() => api('DELETE /api/admin/projects/:projectId', { params: { projectId } })}
          {...common}
        >
          Its archived flags, segments, context fields, and the API tokens limited to it are deleted too.
        </Confirm>
      )}
    </SectionCard>
  );
}
