import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** What can be done with the whole of it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page that stands for itself. */
export function SectionCard({ title, description, actions, children }: Props) {
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {description !== undefined && (
              <Text size="sm" c="dimmed" component="div" maw={640}>
                {description}
              </Text>
            )}
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
