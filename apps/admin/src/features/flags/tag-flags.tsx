import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { useFlagsChanged } from './flag-queries.ts';
import { TagInput, tagOf } from './tag-input.tsx';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds tags to flags, and takes others off them. */
export function TagFlags({ projectId, names, onClose, onDone }: Props) {
  const [added, setAdded] = useState<string[]>([]);
  const [removed, setRemoved] = useState<string[]>([]);
  const changed = useFlagsChanged();
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/projects/:projectId/tags', {
        params: { projectId },
        body: {
          features: [...names],
          tags: { addedTags: added.map(tagOf), removedTags: removed.map(tagOf) },
        },
      }),
    onSuccess: async () => {
      onClose();
      onDone();
      await changed();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Tags of ${names.length === 1 ? names[0] : `${names.length} flags`}`}>
      <Stack>
        <TagInput label="Add" tags={added} onChange={setAdded} />
        <TagInput label="Take off" tags={removed} onChange={setRemoved} />
        {save.error !== null && (
          <Alert color="red" role="alert">
            {messageOf(save.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => save.mutate()} loading={save.isPending} disabled={added.length + removed.length === 0}>
            Save tags
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
