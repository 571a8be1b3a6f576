import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { FlagNameInput } from './flag-name-input.tsx';
import { type Flag, useFlagsChanged } from './flag-queries.ts';

interface Props {
  readonly flag: Flag;
  readonly onClose: () => void;
}

/** Makes a flag like another one, off everywhere. */
export function CloneFlag({ flag, onClose }: Props) {
  const [name, setName] = useState(`${flag.name}-copy`);
  const [replaceGroupId, setReplaceGroupId] = useState(true);
  const navigate = useNavigate();
  const changed = useFlagsChanged();
  const clone = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/features/:featureName/clone', {
        params: { projectId: flag.project, featureName: flag.name },
        body: { name, replaceGroupId },
      }),
    onSuccess: async (made) => {
      await changed();
      onClose();
      await navigate({
        to: '/projects/$projectId/features/$featureName',
        params: { projectId: made.project, featureName: made.name },
      });
    },
  });
  const problem = clone.error === null ? undefined : byField(clone.error, ['name']);
  return (
    <Dialog onClose={onClose} title={`Clone ${flag.name}`}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          clone.mutate();
        }}
        noValidate
      >
        <Stack>
          <Text size="sm">
            The new flag gets the strategies, variants and dependency of this one, and is off in every environment. Tags
            and links stay behind.
          </Text>
          <FlagNameInput
            projectId={flag.project}
            label="Name of the new flag"
            value={name}
            onChange={setName}
            refusal={problem?.fields.name}
            making={clone.isPending || clone.isSuccess}
          />
          <Checkbox
            label="Give gradual rollouts a group of their own"
            description="Else the same users get both flags."
            checked={replaceGroupId}
            onChange={({ currentTarget }) => setReplaceGroupId(currentTarget.checked)}
          />
          {problem?.rest !== undefined && (
            <Alert color="red" role="alert">
              {problem.rest}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={clone.isPending} disabled={name === ''}>
              Clone flag
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
