import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly count: number;
  /** Buttons that do something to all that is chosen. */
  readonly children: ReactNode;
  readonly onNone: () => void;
}

/** What can be done with the flags that are chosen, in sight wherever their table is scrolled to; nothing when none is. */
export function ChosenBar({ count, children, onNone }: Props) {
  if (count === 0) return null;
  return (
    // Notices come up at the right.
    <Paper
      withBorder
      shadow="lg"
      p="sm"
      maw={780}
      role="region"
      aria-label="Chosen flags"
      pos="sticky"
      bottom={16}
      style={{ zIndex: 10 }}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} aria-live="polite">
          {count.toLocaleString()} chosen
        </Text>
        {children}
        <Button size="xs" variant="subtle" color="gray" onClick={onNone}>
          Choose none
        </Button>
      </Group>
    </Paper>
  );
}
