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
  /** How many are not archived. */
  readonly flags: number;
}

/** How a project ends: archived, or deleted for good. */
export function ProjectEnd({ projectId, name, flags }: Props) {
  const [ending, setEnding] = useState<'archive' | 'delete'>();
  const navigate = useNavigate();
  const reason =
    projectId === 'default'
      ? 'The project "default" stays.'
      : flags > 0
        ? 'Archive its flags first: while one is not archived the project stays.'
        : 'An archived project is listed apart and can be brought back. A deleted one is gone for good.';
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
          <b>{name}</b> takes no flags any more until it is brought back.
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
          Its archived flags, segments and context fields are deleted too, and so are the API tokens that open nothing
          else.
        </Confirm>
      )}
    </SectionCard>
  );
}
