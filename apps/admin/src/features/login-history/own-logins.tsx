import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api-query.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { LoginTable } from './login-table.tsx';

/** Lists the latest logins of the signed-in user, including failed ones. */
export function OwnLogins() {
  const logins = useQuery(apiQuery('GET /api/admin/user/logins', {}, ({ events }) => events));
  return (
    <Loaded query={logins} rows={2}>
      {(list) => (list.length === 0 ? <Text size="sm">No logins.</Text> : <LoginTable logins={list} />)}
    </Loaded>
  );
}
