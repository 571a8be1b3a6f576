import { ActionIcon, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconApi, IconBook, IconHelpCircle, IconHistory, IconKeyboard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { instanceQuery } from '../lib/instance.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

/** The help menu: documentation, shortcuts, API, changelog and version. The key ? shows the shortcuts. */
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
          <Menu.Item component="a" href="docs/" target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
            Documentation
          </Menu.Item>
          <Menu.Item component="a" href="docs/openapi" target="_blank" leftSection={<IconApi size={16} aria-hidden />}>
            API
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} rightSection="?" onClick={open}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            component="a"
            href="docs/changelog.html"
            target="_blank"
            leftSection={<IconHistory size={16} aria-hidden />}
          >
            What’s new
          </Menu.Item>
          <Menu.Label>{instance === undefined ? 'Yardarm' : `Yardarm ${instance.version}`}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      {isOpen && <ShortcutsDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
