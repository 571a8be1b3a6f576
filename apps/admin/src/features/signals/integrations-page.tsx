import { Card, Group, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconBroadcast } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

/** How outside systems are connected. */
export function IntegrationsPage() {
  return (
    <Page title="Integrations" description="What outside systems tell this service, and what it tells them.">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Card component={Link} to="/integrations/signals" withBorder padding="lg">
          <Stack gap="sm">
            <Group gap="sm">
              <ThemeIcon variant="light" size="lg">
                <IconBroadcast size={20} aria-hidden />
              </ThemeIcon>
              <Title order={2} size="h4">
                Signals
              </Title>
            </Group>
            <Text size="sm" c="dimmed">
              Let alerts, deploys and other systems report what happened, and see what they sent.
            </Text>
          </Stack>
        </Card>
      </SimpleGrid>
    </Page>
  );
}
