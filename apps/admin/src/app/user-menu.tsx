import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { meQuery } from '../lib/me.ts';
import { useReport } from '../ui/report.ts';

/** Who is signed in, and the way out. */
export function UserMenu() {
  const { data: me } = useQuery(meQuery);
  const queries = useQueryClient();
  const report = useReport();
  const logout = useMutation({
    mutationFn: () => api('POST /logout'),
    onSuccess: () => queries.resetQueries(),
    onError: report,
  });
  const name = me?.user.name ?? me?.user.username ?? me?.user.email ?? '';
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl" aria-label={`Account: ${name}`}>
          <IconUserCircle size={24} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {name}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logout.mutate()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
