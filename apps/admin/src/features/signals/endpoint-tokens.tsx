import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-drawer.tsx';
import { TokenTable } from '../../ui/token-table.tsx';
import type { TokenShown } from './new-token.tsx';
import type { SignalEndpoint } from './signal-queries.ts';

type Token = SignalEndpoint['tokens'][number];

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly onMade: (token: TokenShown) => void;
}

const changes = ['GET /api/admin/signal-endpoints'] as const;

/** Lists the tokens of an endpoint, one for each sender. */
export function EndpointTokens({ endpoint, onMade }: Props) {
  const { data: limits } = useQuery(limitsQuery);
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Token>();
  const limit = limits?.signalTokensPerEndpoint;
  const full = limit !== undefined && endpoint.tokens.length >= limit;
  return (
    <Stack mt="xl" gap="sm" component="section" aria-label="Signal endpoint tokens">
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
      <TokenTable
        tokens={endpoint.tokens}
        nameHeader="Name"
        nameOf={({ name }) => name}
        onDelete={setRemoving}
        empty={
          <Text size="sm" c="dimmed">
            No tokens yet: nothing can send to this endpoint. Create one for each sender.
          </Text>
        }
      />
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
          changes={changes}
          onClose={() => setRemoving(undefined)}
        >
          Signals with the token <b>{removing.name}</b> will be rejected.
        </Confirm>
      )}
    </Stack>
  );
}

function MakeToken({ endpoint, onMade, onClose }: Props & { readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const { submit, pending, formError } = useSaving(form, {
    save: (body) =>
      api('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
        params: { signalEndpointId: endpoint.id },
        body,
      }),
    changes,
    onSaved: ({ token }) => {
      onClose();
      onMade({ url: endpoint.url, token });
    },
  });
  return (
    <Dialog onClose={onClose} title="New token" closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Token name"
            description="The sender that uses this token."
            required
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <FormError>{formError}</FormError>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pending}>
              Create token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
