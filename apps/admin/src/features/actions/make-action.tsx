import { Button, type ButtonProps, Group, Select, Stack, Text } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { projectsQuery } from '../projects/project-queries.ts';

interface Props {
  readonly signalId: number;
  readonly size?: NonNullable<ButtonProps['size']>;
}

/** A button that makes an action from a signal, in a project of the user's choice. */
export function MakeAction({ signalId, size = 'sm' }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Permitted needs="ADMIN">
        <Button
          variant="default"
          size={size}
          leftSection={<IconBolt size={16} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Make an action from this signal
        </Button>
      </Permitted>
      {isOpen && <ProjectDialog signalId={signalId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface DialogProps {
  readonly signalId: number;
  readonly onClose: () => void;
}

function ProjectDialog({ signalId, onClose }: DialogProps) {
  const projects = useQuery(projectsQuery).data?.projects ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const projectId = chosen ?? (projects.length === 1 ? (projects[0]?.id ?? null) : null);
  const navigate = useNavigate();
  return (
    <Dialog title="Make an action" onClose={onClose}>
      <Stack>
        <Text size="sm">
          An action changes flags of one project. The form opens with the source of this signal, and with filters for it
          where the sender is known.
        </Text>
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
                search: { make: true, signal: signalId },
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
