import { IconKeyboard } from '@tabler/icons-react';
import { helpLinks } from '../help-links.ts';
import type { Entry } from './entry.ts';

/** Returns the entries of the help menu. Links open in a new tab, as in the menu. */
export function helpEntries(showShortcuts: () => void): readonly Entry[] {
  return [
    ...helpLinks.map((link) => ({
      id: `help ${link.href}`,
      label: link.label,
      description: link.topics,
      icon: <link.icon size={18} aria-hidden />,
      run: () => void window.open(link.href, '_blank', 'noopener'),
    })),
    {
      id: 'help shortcuts',
      label: 'Keyboard shortcuts',
      icon: <IconKeyboard size={18} aria-hidden />,
      run: showShortcuts,
    },
  ];
}
