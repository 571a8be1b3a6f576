import { Anchor, AppShell, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Mark } from '../ui/mark.tsx';
import { Banners } from './banners.tsx';
import { PaletteButton } from './palette-button.tsx';
import { isAt, sections } from './places.ts';
import { SchemeSwitch } from './scheme-switch.tsx';
import { UserMenu } from './user-menu.tsx';

/** What is around every page: where one can go, who one is. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere else closes the menu of small screens
  useEffect(close, [pathname]);
  return (
    <>
      <Anchor href="#main" className="skip-link" onClick={skipToMain}>
        Skip to the content
      </Anchor>
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
              <PaletteButton />
              <SchemeSwitch />
              <UserMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar aria-label="Main">
          <Menu pathname={pathname} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <Banners />
          <Outlet />
        </AppShell.Main>
      </AppShell>
    </>
  );
}

/** The address stays as it is: the part behind `#` would be read against the base of the page. */
function skipToMain(clicked: React.MouseEvent): void {
  clicked.preventDefault();
  document.getElementById('main')?.focus();
}

function Menu({ pathname }: { readonly pathname: string }) {
  return (
    <AppShell.Section grow component={ScrollArea} p="xs" viewportProps={{ tabIndex: -1 }}>
      {sections.map(({ title, places }) => (
        <div key={title ?? ''}>
          {title !== undefined && (
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4} component="h2" m={0}>
              {title}
            </Text>
          )}
          {places.map((place) => (
            <NavLink
              key={place.to}
              component={Link}
              to={place.to}
              label={place.label}
              leftSection={<place.icon size={18} aria-hidden />}
              active={isAt(place, pathname)}
              aria-current={isAt(place, pathname) ? 'page' : undefined}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </div>
      ))}
    </AppShell.Section>
  );
}
