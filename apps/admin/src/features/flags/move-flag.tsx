import { Button, Group, Select, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { messageOf } from '../../lib/problems.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { projectsQuery } from '../projects/project-queries.ts';
import { type Flag, useFlagsChanged } from './flag-queries.ts';

/** Moves a flag to another project; one needs the permission in both. */
export function MoveFlag({ flag }: { readonly flag: Flag }) {
  const [target, setTarget] = useState<string | null>(null);
  const projects = useQuery(projectsQuery);
  const may = useMay();
  const navigate = useNavigate();
  const changed = useFlagsChanged();
  const move = useMutation({
    mutationFn: (newProjectId: string) =>
      api('POST /api/admin/projects/:projectId/features/:featureName/changeProject', {
        params: { projectId: flag.project, featureName: flag.name },
        body: { newProjectId },
      }),
    onSuccess: async (_, projectId) => {
      await navigate({
        to: '/projects/$projectId/features/$featureName',
        params: { projectId, featureName: flag.name },
      });
      await changed();
    },
  });
  const others = (projects.data?.projects ?? []).filter(
    ({ id }) => id !== flag.project && may('MOVE_FEATURE_TOGGLE', { project: id }),
  );
  return (
    <SectionCard
      title="Project"
      description="The new project must have all environments that this one has, and a flag that depends on another stays with it. Its name stays, so no code has to change; API tokens that open only the project it was in no longer give it."
    >
      <Stack>
        <Select
          label="Move to"
          placeholder={others.length === 0 ? 'There is no other project that you may move it to' : 'Choose a project'}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={target}
          onChange={(id) => {
            setTarget(id);
            move.reset();
          }}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Choose no project' }}
          error={move.error === null ? undefined : messageOf(move.error)}
        />
        <Group>
          <Permitted needs="MOVE_FEATURE_TOGGLE" place={{ project: flag.project }}>
            <Button
              variant="default"
              onClick={() => target !== null && move.mutate(target)}
              disabled={target === null}
              loading={move.isPending}
            >
              Move flag
            </Button>
          </Permitted>
        </Group>
      </Stack>
    </SectionCard>
  );
}
