import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface Props {
  readonly title: string;
  /** A sentence about the page that opens. */
  readonly opens: string;
  /** The signal that the action is made from. */
  readonly signalId?: number;
  readonly onClose: () => void;
}

/** Asks for the project of a new action, and opens its form there. */
export function ChooseProject({ title, opens, signalId, onClose }: Props) {
  const projects = useQuery(projectsQuery).data?.projects ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const projectId = chosen ?? (projects.length === 1 ? (projects[0]?.id ?? null) : null);
  const navigate = useNavigate();
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Text size="sm">An action changes flags of one project. {opens}</Text>
        <Select
          label="Project"
          placeholder="The project of the flags"
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          value={projectId}
          onChange={setChosen}
          searchable
          data-autofocus={projects.length > 1 || undefined}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={projectId === null}
            onClick={() =>
              projectId !== null &&
              void navigate({
                to: '/projects/$projectId/settings/actions',
                params: { projectId },
                search: signalId === undefined ? { make: true } : { make: true, signal: signalId },
              })
            }
          >
            Continue
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
