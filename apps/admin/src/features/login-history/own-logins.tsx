import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { LoginTable } from './login-table.tsx';

/** The last logins of the person who is signed in, those that failed too. */
export function OwnLogins() {
  const logins = useQuery({
    queryKey: ['GET /api/admin/user/logins'],
    queryFn: async () => (await api('GET /api/admin/user/logins')).events,
  });
  return (
    <Loaded query={logins} rows={2}>
      {(list) => (list.length === 0 ? <Text size="sm">No login is known.</Text> : <LoginTable logins={list} />)}
    </Loaded>
  );
}
