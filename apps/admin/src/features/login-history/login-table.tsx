import { Text } from '@mantine/core';
import type { Answer } from '../../lib/api.ts';
import { type Column, Listing } from '../../ui/listing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint } from '../../ui/text.tsx';

type Login = Answer<'GET /api/admin/logins'>['events'][number];

/** Lists logins: user name, outcome, time, method and address. */
export function LoginTable({ logins }: { readonly logins: readonly Login[] }) {
  return <Listing rows={logins} rowKey={({ id }) => id} spacing="xs" minWidth={280} columns={columns} />;
}

const columns: readonly Column<Login>[] = [
  { header: 'User name', breaks: 'anywhere', cell: ({ username }) => username },
  { header: 'Outcome', cell: (login) => <Outcome login={login} /> },
  { header: 'When', cell: (login) => <RelativeTime at={login.created_at} /> },
  {
    header: 'Method',
    visibleFrom: 'sm',
    cell: (login) => (login.auth_type === 'oidc' ? 'OpenID Connect' : 'Password'),
  },
  { header: 'Address', visibleFrom: 'sm', cell: ({ ip }) => ip ?? 'Unknown' },
];

function Outcome({ login }: { readonly login: Login }) {
  return (
    <>
      <Text size="sm" {...(login.successful ? {} : { c: 'var(--mantine-color-error)' })}>
        {login.successful ? 'Logged in' : 'Failed'}
      </Text>
      {login.failure_reason !== null && <Hint>{login.failure_reason}</Hint>}
    </>
  );
}
