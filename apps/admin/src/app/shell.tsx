import { ActionIcon, AppShell, Burger, Group, NavLink, Text, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFlag, IconHistory, IconMoon, IconPlugConnected, IconSun } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Mark } from '../ui/mark.tsx';
import { UserMenu } from './user-menu.tsx';

const places = [
  { label: 'Projects', to: '/projects', icon: IconFlag },
  { label: 'Event log', to: '/history', icon: IconHistory },
] as const;

const configure = [{ label: 'Integrations', to: '/integrations', icon: IconPlugConnected }] as const;

/** What is around every page: where one can go, who one is. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere else closes the menu of small screens
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the menu' : 'Open the menu'}
            />
            <Group gap="xs" wrap="nowrap">
              <Mark size={28} />
              <Text fw={700} size="lg">
                Yardarm
              </Text>
            </Group>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SchemeSwitch />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        {places.map(({ label, to, icon: Icon }) => (
          <Place
            key={to}
            label={label}
            to={to}
            active={pathname.startsWith(to)}
            icon={<Icon size={18} aria-hidden />}
          />
        ))}
        <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4} component="h2" m={0}>
          Configure
        </Text>
        {configure.map(({ label, to, icon: Icon }) => (
          <Place
            key={to}
            label={label}
            to={to}
            active={pathname.startsWith(to)}
            icon={<Icon size={18} aria-hidden />}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

interface PlaceProps {
  readonly label: string;
  readonly to: (typeof places)[number]['to'] | (typeof configure)[number]['to'];
  readonly active: boolean;
  readonly icon: React.ReactNode;
}

function Place({ label, to, active, icon }: PlaceProps) {
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      leftSection={icon}
      active={active}
      aria-current={active ? 'page' : undefined}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}

function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark =
    colorScheme === 'dark' || (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  const label = dark ? 'Use light colours' : 'Use dark colours';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
        aria-label={label}
      >
        {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
