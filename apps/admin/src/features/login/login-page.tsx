import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Mark } from '../../ui/mark.tsx';
import { LoginForm } from './login-form.tsx';

/** The first thing that somebody sees who is not signed in. */
export function LoginPage({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={380} gap="lg">
        <Group gap="sm" justify="center">
          <Mark size={36} />
          <Title order={1} size="h2">
            Yardarm
          </Title>
        </Group>
        <Paper withBorder p="xl">
          <LoginForm onSignedIn={onSignedIn} />
        </Paper>
        <Text size="sm" c="dimmed" ta="center">
          Feature flags that outside systems can act on.
        </Text>
      </Stack>
    </Center>
  );
}
