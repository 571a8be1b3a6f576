import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint, RowName } from './text.tsx';

interface Props {
  readonly name: string;
  /** Badges beside the name. */
  readonly badges?: ReactNode;
  /** A second line in small type. */
  readonly children?: ReactNode;
}

/** The first cell of a table row: the name, and a detail below it. */
export function NameCell({ name, badges, children }: Props) {
  return (
    <>
      <Group gap="xs">
        <RowName style={{ overflowWrap: 'anywhere' }}>{name}</RowName>
        {badges}
      </Group>
      {children != null && children !== '' && (
        <Hint maw={720} component="div" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Hint>
      )}
    </>
  );
}
