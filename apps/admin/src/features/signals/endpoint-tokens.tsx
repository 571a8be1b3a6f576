import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { Hint, Muted, PartTitle } from '../../ui/text.tsx';
import { TokenTable } from '../../ui/token-table.tsx';
import { EditToken } from './edit-token.tsx';
import { EndpointSubscriptions } from './endpoint-subscriptions.tsx';
import { MakeToken } from './make-token.tsx';
import type { TokenShown } from './new-token.tsx';
import { RefusedRequests } from './refused-requests.tsx';
import { limitsInWords } from './token-limits.tsx';

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
  const [editing, setEditing] = useState<Token>();
  const [removing, setRemoving] = useState<Token>();
  const limit = limits?.signalTokensPerEndpoint;
  const full = limit !== undefined && endpoint.tokens.length >= limit;
  return (
    <Stack mt="xl" gap="sm" component="section" aria-label="Signal endpoint tokens">
      <Group justify="space-between">
        <PartTitle>Signal endpoint tokens</PartTitle>
        <Group gap="sm">
          <CountOfLimit count={endpoint.tokens.length} limit={limit} noun="token" />
          <Button size="xs" variant="light" onClick={() => setMaking(true)} disabled={full}>
            New token
          </Button>
        </Group>
      </Group>
      <TokenTable
        tokens={endpoint.tokens}
        nameHeader="Name"
        nameOf={({ name }) => name}
        detailOf={(token) => <OwnLimits token={token} />}
        onEdit={setEditing}
        onDelete={setRemoving}
        empty={<Muted>No tokens yet: nothing can send to this endpoint. Create one for each sender.</Muted>}
      />
      {endpoint.source === 'sns' && <EndpointSubscriptions endpoint={endpoint} />}
      <RefusedRequests endpoint={endpoint} />
      {making && (
        <MakeToken
          endpoint={endpoint}
          onMade={(shown) => {
            setMaking(false);
            onMade(shown);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {editing !== undefined && <EditToken endpoint={endpoint} token={editing} onClose={() => setEditing(undefined)} />}
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

function OwnLimits({ token }: { readonly token: Token }) {
  const words = limitsInWords(token);
  if (words === undefined) return null;
  return <Hint>{words}</Hint>;
}
