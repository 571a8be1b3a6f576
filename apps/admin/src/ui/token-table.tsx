import { ActionIcon, Table } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Expiry, Seen } from './expiry.tsx';
import { RelativeTime } from './relative-time.tsx';

interface Token {
  readonly id: number;
  readonly createdAt: string;
  /** Absent where tokens last until they are deleted. */
  readonly expiresAt?: string | null;
  readonly seenAt?: string | null;
}

interface Props<T extends Token> {
  readonly tokens: readonly T[];
  /** What tokens are told apart by: "Name", "Description". */
  readonly by: string;
  readonly nameOf: (token: T) => string;
  readonly onRemove: (token: T) => void;
}

/** The tokens of somebody or something, which can be deleted. */
export function TokenTable<T extends Token>({ tokens, by, nameOf, onRemove }: Props<T>) {
  const expire = tokens.some(({ expiresAt }) => expiresAt !== undefined);
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{by}</Table.Th>
            {expire && <Table.Th>Expires</Table.Th>}
            <Table.Th {...(expire ? { visibleFrom: 'sm' } : {})}>Created</Table.Th>
            {expire && <Table.Th visibleFrom="sm">Last used</Table.Th>}
            <Table.Th w={48} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{nameOf(token)}</Table.Td>
              {expire && (
                <Table.Td>
                  <Expiry at={token.expiresAt ?? null} />
                </Table.Td>
              )}
              <Table.Td {...(expire ? { visibleFrom: 'sm' } : {})}>
                <RelativeTime at={token.createdAt} />
              </Table.Td>
              {expire && (
                <Table.Td visibleFrom="sm">
                  <Seen at={token.seenAt ?? null} />
                </Table.Td>
              )}
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  onClick={() => onRemove(token)}
                  aria-label={`Delete the token ${nameOf(token)}`}
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
