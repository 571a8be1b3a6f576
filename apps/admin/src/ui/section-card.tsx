import { Card, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted, SectionTitle } from './text.tsx';

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
            <SectionTitle>{title}</SectionTitle>
            {description !== undefined && (
              <Muted component="div" maw={640}>
                {description}
              </Muted>
            )}
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
