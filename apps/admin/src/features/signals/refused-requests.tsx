import { Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RefusalReason } from '@yardarm/contract';
import { refusalsQuery, type SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted, PartTitle } from '../../ui/text.tsx';

const labels: Readonly<Record<RefusalReason, string>> = {
  'no credentials': 'No token and no signature',
  'unknown token': 'The token is not one of this endpoint, or was sent in another way',
  'token expired': 'The token was used after its end',
  'no signature': 'No signature that this endpoint can verify',
  'wrong signature': 'The signature does not match the body and the secret',
  expired: 'Signed too long ago',
  'wrong topic': 'A topic that no token takes',
  'no certificate': 'The certificate of the sender could not be read',
  disabled: 'The endpoint was disabled',
  'rate limit': 'Over the limit of signals',
  'too large': 'The body was too large',
  'wrong media type': 'The content type or encoding is not accepted',
  'invalid body': 'The body was not valid',
  'reused key': 'The idempotency key came with another payload before',
};

/** Lists why requests to an endpoint were refused. Renders nothing when none was refused. */
export function RefusedRequests({ endpoint }: { readonly endpoint: SignalEndpoint }) {
  const { data: refusals = [] } = useQuery(refusalsQuery(endpoint.id));
  if (refusals.length === 0) return null;
  const nameOf = (id: number | null) => endpoint.tokens.find((token) => token.id === id)?.name ?? '';
  return (
    <Stack gap="xs" component="section" aria-label="Refused requests">
      <PartTitle>Refused requests</PartTitle>
      <Muted>Nothing of them was stored. The sender got only the status.</Muted>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Reason</Table.Th>
            <Table.Th>Requests</Table.Th>
            <Table.Th>Last</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {refusals.map(({ tokenId, reason, count, lastAt }) => (
            <Table.Tr key={`${tokenId} ${reason}`}>
              <Table.Td>
                {labels[reason]}
                {nameOf(tokenId) !== '' && <Hint>Token {nameOf(tokenId)}</Hint>}
              </Table.Td>
              <Table.Td>{count}</Table.Td>
              <Table.Td>
                <RelativeTime at={lastAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
