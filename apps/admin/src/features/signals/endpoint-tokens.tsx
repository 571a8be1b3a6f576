import { ActionIcon, Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { messageOf } from '../../lib/problems.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/over-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { TokenShown } from './new-token.tsx';
import { endpointsQuery, type SignalEndpoint } from './signal-queries.ts';

type Token = SignalEndpoint['tokens'][number];

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly onMade: (token: TokenShown) => void;
}

/** The tokens of an endpoint, each for one system that sends to it. */
export function EndpointTokens({ endpoint, onMade }: Props) {
  const { data: limits } = useQuery(limitsQuery);
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Token>();
  const limit = limits?.signalTokensPerEndpoint;
  const full = limit !== undefined && endpoint.tokens.length >= limit;
  return (
    <Stack mt="xl">
      <Group justify="space-between">
        <Title order={3} size="h5">
          Signal endpoint tokens
        </Title>
        <Group gap="sm">
          {limit !== undefined && (
            <Text size="sm" c="dimmed">
              {endpoint.tokens.length} of {limit}
            </Text>
          )}
          <Button size="xs" variant="light" onClick={() => setMaking(true)} disabled={full}>
            New token
          </Button>
        </Group>
      </Group>
      {endpoint.tokens.length === 0 ? (
        <Text size="sm" c="dimmed">
          No token yet: nothing can send to this endpoint.
        </Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th w={48} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {endpoint.tokens.map((token) => (
              <Table.Tr key={token.id}>
                <Table.Td>{token.name}</Table.Td>
                <Table.Td>
                  <RelativeTime at={token.createdAt} />
                </Table.Td>
                <Table.Td>
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    onClick={() => setRemoving(token)}
                    aria-label={`Delete the token ${token.name}`}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {making && <MakeToken endpoint={endpoint} onMade={onMade} onClose={() => setMaking(false)} />}
      {removing !== undefined && (
        <Confirm
          title="Delete token?"
          action="Delete token"
          run={() =>
            api('DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
              params: { signalEndpointId: removing.signalEndpointId, id: removing.id },
            })
          }
          changes={['GET /api/admin/signal-endpoints']}
          onClose={() => setRemoving(undefined)}
        >
          What sends with the token <b>{removing.name}</b> is refused from then on.
        </Confirm>
      )}
    </Stack>
  );
}

function MakeToken({ endpoint, onMade, onClose }: Props & { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () =>
      api('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
        params: { signalEndpointId: endpoint.id },
        body: { name },
      }),
    onSuccess: async ({ token }) => {
      await queries.invalidateQueries(endpointsQuery);
      onClose();
      onMade({ url: endpoint.url, token });
    },
  });
  return (
    <Dialog onClose={onClose} title="New token">
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          make.mutate();
        }}
      >
        <Stack>
          <TextInput
            label="Token name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={make.error === null ? undefined : messageOf(make.error)}
            required
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={name.trim() === ''} loading={make.isPending}>
              Create token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
