import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { endpointsQuery, type SignalEndpoint } from './signal-queries.ts';

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly onClose: () => void;
}

/** Deletes an endpoint, once its name has been typed. */
export function RemoveEndpoint({ endpoint, onClose }: Props) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/admin/signal-endpoints/:id', { params: { id: endpoint.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries(endpointsQuery);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Delete signal endpoint?">
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (typed === endpoint.name) remove.mutate();
        }}
      >
        <Stack>
          <Text size="sm">
            What sends to <Code>{endpoint.name}</Code> is refused from then on, and its tokens are gone. Signals that it
            has received stay.
          </Text>
          <TextInput
            label={`Type ${endpoint.name} to delete it`}
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
            <Button type="submit" color="red" disabled={typed !== endpoint.name} loading={remove.isPending}>
              Delete signal endpoint
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
