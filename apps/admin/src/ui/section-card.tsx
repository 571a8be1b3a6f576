import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons in the header of the section. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of a page. */
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
