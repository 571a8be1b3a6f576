import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/** Returns the color scheme, the label of the switch, and a function that switches it. */
export function useScheme(): { readonly dark: boolean; readonly label: string; readonly change: () => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark =
    colorScheme === 'dark' || (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  return {
    dark,
    label: dark ? 'Use light colors' : 'Use dark colors',
    change: () => setColorScheme(dark ? 'light' : 'dark'),
  };
}

export function SchemeSwitch() {
  const { dark, label, change } = useScheme();
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={change} aria-label={label}>
        {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
