import { ActionIcon, Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import classes from './palette-button.module.css';
import { paletteKeys } from './shortcuts.ts';

const load = () => import('./command-palette.tsx');
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }));

/** Opens the command palette, as Ctrl+K (⌘K) does. Its code is loaded a second after the page. */
export function PaletteButton() {
  const [openCount, setOpenCount] = useState(0);
  useEffect(() => {
    // Loads the code before the palette is opened, because keys that are pressed while it loads would be lost. A failed
    // load is tried again on opening.
    const timer = setTimeout(() => void load().catch(() => undefined), 1000);
    return () => clearTimeout(timer);
  }, []);
  const open = () => setOpenCount((times) => times + 1);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <UnstyledButton className={classes.wide} onClick={open} visibleFrom="sm" aria-keyshortcuts="Control+K Meta+K">
        <Group gap="xs" wrap="nowrap">
          <IconSearch size={16} aria-hidden />
          <Text size="sm" span>
            Search or go to
          </Text>
          <Kbd size="xs">{paletteKeys}</Kbd>
        </Group>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" onClick={open} hiddenFrom="sm" aria-label="Search or go to">
        <IconSearch size={18} />
      </ActionIcon>
      {openCount > 0 && (
        <Suspense>
          <CommandPalette openCount={openCount} />
        </Suspense>
      )}
    </>
  );
}
