import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Dialog } from './dialog.tsx';

/**
 * Asks for confirmation before a page with unsaved changes is left. The page renders `dialog`, and calls `saved` after
 * saving.
 */
export function useLeaveGuard(changed: boolean): { readonly dialog: ReactNode; readonly saved: () => void } {
  const isSaved = useRef(false);
  const loses = () => changed && !isSaved.current;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: loses,
    enableBeforeUnload: loses,
    withResolver: true,
  });
  return {
    saved: () => {
      isSaved.current = true;
    },
    dialog: status === 'blocked' && (
      <Dialog onClose={() => reset()} title="Leave without saving?">
        <Stack>
          <Text size="sm">Your changes on this page will be lost.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => reset()}>
              Stay
            </Button>
            <Button color="red" onClick={() => proceed()}>
              Leave
            </Button>
          </Group>
        </Stack>
      </Dialog>
    ),
  };
}
