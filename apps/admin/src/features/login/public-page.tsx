import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAutofocus } from '../../ui/autofocus.ts';
import { Logo } from '../../ui/logo.tsx';
import { Muted } from '../../ui/text.tsx';

/** The frame of pages for users who are not signed in. */
export function PublicPage({ children }: { readonly children: ReactNode }) {
  const page = useAutofocus();
  return (
    <Center ref={page} component="main" mih="100vh" p="md">
      <Stack w="100%" maw={380} gap="lg">
        <Group gap="sm" justify="center">
          <Logo size={36} />
          <Title order={1} size="h2">
            Yardarm
          </Title>
        </Group>
        <Paper withBorder p="xl">
          {children}
        </Paper>
        <Muted ta="center">Feature flags that outside systems can act on.</Muted>
      </Stack>
    </Center>
  );
}
