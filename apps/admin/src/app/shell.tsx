import { Anchor, AppShell, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { WaitingBadge } from '../features/change-requests/waiting-badge.tsx';
import { ProjectGate } from '../features/projects/project-gate.tsx';
import { useMay } from '../lib/me.ts';
import { Mark } from '../ui/mark.tsx';
import { Page } from '../ui/page.tsx';
import { NotPermitted, NotPermittedMark } from '../ui/permitted.tsx';
import { type MenuPlace, placeAt, sections } from '../ui/places.ts';
import { Banners } from './banners.tsx';
import { PaletteButton } from './palette-button.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { UserMenu } from './user-menu.tsx';

/** What is around every page: where one can go, who one is. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // Of what is shown: while another page is on its way the address is that one's already.
  const place = useMatches({ select: (matches) => placeAt(matches.at(-1)?.fullPath ?? '') });
  useFocusOnPage(useMatches({ select: (matches) => matches.at(-1)?.pathname }));
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
          <Menu current={place} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <Banners />
          <WhatMayBeSeen place={place} />
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

/** Where what had the focus went with the page before, the next page has it: Tab goes on there. */
function useFocusOnPage(shown: string | undefined): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
}

/** The page itself; what it shows is not asked of the server for who may not see it. */
function WhatMayBeSeen({ place }: { readonly place: MenuPlace | undefined }) {
  const may = useMay();
  if (place?.needs === undefined || may(place.needs))
    return (
      <ProjectGate>
        <Outlet />
      </ProjectGate>
    );
  return (
    <Page title={place.label}>
      <NotPermitted needs={place.needs} />
    </Page>
  );
}

function Menu({ current }: { readonly current: MenuPlace | undefined }) {
  return (
    <AppShell.Section grow component={ScrollArea} p="xs" viewportProps={{ tabIndex: -1 }}>
      {sections.map(({ title, places }) => (
        <div key={title ?? ''}>
          {title !== undefined && (
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4} component="h2" m={0}>
              {title}
            </Text>
          )}
          {places
            .filter((place: MenuPlace) => place.within === undefined)
            .map((place) => (
              <MenuEntry
                key={place.to}
                place={place}
                active={current !== undefined && (current.within ?? current.to) === place.to}
              />
            ))}
        </div>
      ))}
    </AppShell.Section>
  );
}

/** What stands beside an entry of the menu. */
const badges: Partial<Record<MenuPlace['to'], ReactNode>> = { '/change-requests': <WaitingBadge /> };

function MenuEntry({ place, active }: { readonly place: MenuPlace; readonly active: boolean }) {
  const may = useMay();
  const open = may(place.needs);
  return (
    <NavLink
      component={Link}
      to={place.to}
      label={place.label}
      leftSection={<place.icon size={18} aria-hidden />}
      rightSection={open ? badges[place.to] : <NotPermittedMark />}
      {...(open ? {} : { c: 'dimmed' })}
      active={active}
      aria-current={active ? 'page' : undefined}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
