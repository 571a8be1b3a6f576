import { List, ScrollArea } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * A list of limited height in a dialog, so that the buttons stay in view. The list can be focused, so that it scrolls
 * by keyboard.
 */
export function ScrollingList({ children }: { readonly children: ReactNode }) {
  return (
    <ScrollArea.Autosize mah="35vh" my="sm" type="auto" viewportProps={{ tabIndex: 0 }}>
      <List size="sm">{children}</List>
    </ScrollArea.Autosize>
  );
}
