import { Button, Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Strong } from '../../ui/text.tsx';

interface Props {
  readonly count: number;
  /** The actions for the selected flags. */
  readonly children: ReactNode;
  readonly onNone: () => void;
}

/**
 * A bar with actions for the selected flags. It stays visible while the table scrolls, and is hidden without a
 * selection.
 */
export function SelectionBar({ count, children, onNone }: Props) {
  if (count === 0) return null;
  return (
    // The width is limited, because notifications appear at the right.
    <Paper
      withBorder
      shadow="lg"
      p="sm"
      maw={780}
      role="region"
      aria-label="Selected flags"
      pos="sticky"
      bottom={16}
      style={{ zIndex: 10 }}
    >
      <Group gap="xs">
        <Strong aria-live="polite">{count.toLocaleString()} selected</Strong>
        {children}
        <Button size="xs" variant="subtle" color="gray" onClick={onNone}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  );
}
