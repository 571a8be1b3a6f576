import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/problems.ts';
import { useFlagsChanged } from './flag-queries.ts';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Deletes archived flags for good, once their name, or how many they are, has been typed. */
export function DeleteFlags({ projectId, names, onClose, onDone }: Props) {
  const [typed, setTyped] = useState('');
  const changed = useFlagsChanged();
  const remove = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/delete', { params: { projectId }, body: { features: [...names] } }),
    onSuccess: async () => {
      onClose();
      onDone();
      await changed();
    },
  });
  const wanted = names.length === 1 ? (names[0] ?? '') : `delete ${names.length} flags`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={names.length === 1 ? 'Delete flag?' : `Delete ${names.length} flags?`}
      centered
    >
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (typed === wanted) remove.mutate();
        }}
      >
        <Stack>
          <Text size="sm">
            This cannot be undone. What the event log tells of {names.length === 1 ? 'it' : 'them'} stays.
          </Text>
          <TextInput
            label={`Type ${wanted} to confirm`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          {remove.error !== null && (
            <Alert color="red" role="alert">
              {messageOf(remove.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={typed !== wanted} loading={remove.isPending}>
              Delete for good
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
