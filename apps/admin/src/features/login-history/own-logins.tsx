import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { LoginTable } from './login-table.tsx';

/** Lists the latest logins of the signed-in user, including failed ones. */
export function OwnLogins() {
  const logins = useQuery({
    queryKey: ['GET /api/admin/user/logins'],
    queryFn: async () => (await api('GET /api/admin/user/logins')).events,
  });
  return (
    <Loaded query={logins} rows={2}>
      {(list) => (list.length === 0 ? <Text size="sm">No logins.</Text> : <LoginTable logins={list} />)}
    </Loaded>
  );
}
