import { ActionIcon, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconHelpCircle, IconKeyboard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { instanceQuery } from '../lib/instance.ts';
import { helpLinks } from './help-links.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

/** The help menu: documentation, API, changelog, shortcuts and version. The key ? shows the shortcuts. */
export function HelpMenu() {
  const { data: instance } = useQuery(instanceQuery);
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  // `useHotkeys` ignores keys that are pressed in a field. On most keyboard layouts ? is typed with Shift.
  useHotkeys([
    ['shift+?', open, { usePhysicalKeys: false }],
    ['?', open],
  ]);
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Help">
            <IconHelpCircle size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {helpLinks.map((link) => (
            <Menu.Item
              key={link.href}
              component="a"
              href={link.href}
              target="_blank"
              leftSection={<link.icon size={16} aria-hidden />}
            >
              {link.label}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} rightSection="?" onClick={open}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{instance === undefined ? 'Yardarm' : `Yardarm ${instance.version}`}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      {isOpen && <ShortcutsDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
