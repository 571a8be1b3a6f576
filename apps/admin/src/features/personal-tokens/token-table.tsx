import { ActionIcon, Table } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Answer } from '../../lib/api.ts';
import { Expiry, Seen } from '../../ui/expiry.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

export type PersonalToken = Answer<'GET /api/admin/user/tokens'>['pats'][number];

interface Props {
  readonly tokens: readonly PersonalToken[];
  readonly onRemove: (token: PersonalToken) => void;
}

/** Tokens that act as their owner. */
export function TokenTable({ tokens, onRemove }: Props) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Description</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th visibleFrom="sm">Created</Table.Th>
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th w={48} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{token.description}</Table.Td>
              <Table.Td>
                <Expiry at={token.expiresAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <RelativeTime at={token.createdAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Seen at={token.seenAt} />
              </Table.Td>
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  onClick={() => onRemove(token)}
                  aria-label={`Delete the token ${token.description}`}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
