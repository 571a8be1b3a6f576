import { Table, Text } from '@mantine/core';
import type { Answer } from '../../lib/api.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Login = Answer<'GET /api/admin/logins'>['events'][number];

/** Logins: whose, how each ended, when, in which way and from where. */
export function LoginTable({ logins }: { readonly logins: readonly Login[] }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>User name</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th visibleFrom="sm">By</Table.Th>
            <Table.Th visibleFrom="sm">Address</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {logins.map((login) => (
            <Table.Tr key={login.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{login.username}</Table.Td>
              <Table.Td>
                <Text size="sm" {...(login.successful ? {} : { c: 'var(--mantine-color-error)' })}>
                  {login.successful ? 'Logged in' : 'Refused'}
                </Text>
                {login.failure_reason !== null && (
                  <Text size="xs" c="dimmed">
                    {login.failure_reason}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <RelativeTime at={login.created_at} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{login.auth_type === 'oidc' ? 'OpenID Connect' : 'Password'}</Table.Td>
              <Table.Td visibleFrom="sm">{login.ip ?? 'Unknown'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
