import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly name: string;
  /** What stands beside the name. */
  readonly badges?: ReactNode;
  /** What else there is to say of it, in small. */
  readonly children?: ReactNode;
}

/** What a row of a table is about: its name, and below it what tells it from others. */
export function Named({ name, badges, children }: Props) {
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {badges}
      </Group>
      {children != null && children !== '' && (
        <Text size="xs" c="dimmed" maw={720} component="div" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      )}
    </>
  );
}
