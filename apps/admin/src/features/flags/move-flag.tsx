import { Button, Group, Select, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Flag, useFlagsChanged } from '../../entities/flags/flag-queries.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { api } from '../../lib/api.ts';
import { formErrorMessage } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

/** Moves a flag to another project. The permission is needed in both. */
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
  const targets = (projects.data?.projects ?? []).filter(
    ({ id }) => id !== flag.project && may('MOVE_FEATURE_TOGGLE', { project: id }),
  );
  return (
    <SectionCard
      title="Project"
      description="The new project must have the same environments, and the flag must have no dependencies. Its name does not change. API tokens limited to the old project lose access to it."
    >
      <Stack>
        <Select
          label="Move to"
          placeholder={targets.length === 0 ? 'No other project allows you to move flags to it' : 'Select a project'}
          data={targets.map(({ id, name }) => ({ value: id, label: name }))}
          value={target}
          onChange={(id) => {
            setTarget(id);
            move.reset();
          }}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the project' }}
          error={move.error === null ? undefined : formErrorMessage(move.error)}
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
