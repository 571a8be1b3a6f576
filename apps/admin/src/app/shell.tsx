import { Anchor, AppShell, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { WaitingBadge } from '../features/change-requests/waiting-badge.tsx';
import { ProjectGate } from '../features/projects/project-gate.tsx';
import { useMay } from '../lib/me.ts';
import { Logo } from '../ui/logo.tsx';
import { type NavigationItem, navigationItemAt, sections } from '../ui/navigation.ts';
import { Page } from '../ui/page.tsx';
import { NotPermitted, NotPermittedMark } from '../ui/permitted.tsx';
import { Hint } from '../ui/text.tsx';
import { Banners } from './banners.tsx';
import { HelpMenu } from './help-menu.tsx';
import { LostConnection } from './lost-connection.tsx';
import { PaletteButton } from './palette-button.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page: header and main menu. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // The menu entry of the page that is rendered. The address cannot tell it, because it changes before the next page is
  // loaded.
  const place = useMatches({ select: (matches) => navigationItemAt(matches.at(-1)?.fullPath ?? '') });
  useFocusOnPage(useMatches({ select: (matches) => matches.at(-1)?.pathname }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu on small screens
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
                <Logo size={28} />
                <Text fw={700} size="lg">
                  Yardarm
                </Text>
              </Group>
            </Group>
            <Group gap="xs" wrap="nowrap">
              <PaletteButton />
              <HelpMenu />
              <SchemeSwitch />
              <UserMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar aria-label="Main">
          <Menu current={place} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <LostConnection />
          <Banners />
          <PermittedOutlet place={place} />
        </AppShell.Main>
      </AppShell>
    </>
  );
}

/**
 * Moves the focus instead of following the link `#main`: the browser would resolve it against the base URL and leave
 * the page.
 */
function skipToMain(clicked: React.MouseEvent): void {
  clicked.preventDefault();
  document.getElementById('main')?.focus();
}

/** Moves the focus to the content after navigation if the focused element is gone, so that Tab continues there. */
function useFocusOnPage(shown: string | undefined): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
}

/** Renders the page, or says which permission it needs. Its data is not requested without the permission. */
function PermittedOutlet({ place }: { readonly place: NavigationItem | undefined }) {
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

/** The sections of the main menu that have an entry. */
const menu = sections
  .map(({ title, places }) => ({
    title,
    places: places.filter((place: NavigationItem) => place.within === undefined),
  }))
  .filter(({ places }) => places.length > 0);

/** Returns the address of the menu entry that lists a page; null when no entry does. */
const entryOf = ({ to, within = to }: NavigationItem) => within;

function Menu({ current }: { readonly current: NavigationItem | undefined }) {
  return (
    <AppShell.Section grow component={ScrollArea} p="xs" viewportProps={{ tabIndex: -1 }}>
      {menu.map(({ title, places }) => (
        <div key={title ?? ''}>
          {title !== undefined && (
            <Hint fw={600} px="sm" pt="md" pb={4} component="h2" m={0}>
              {title}
            </Hint>
          )}
          {places.map((place) => (
            <MenuEntry key={place.to} place={place} active={current !== undefined && entryOf(current) === place.to} />
          ))}
        </div>
      ))}
    </AppShell.Section>
  );
}

/** The badges of menu entries. */
const badges: Partial<Record<NavigationItem['to'], ReactNode>> = { '/change-requests': <WaitingBadge /> };

function MenuEntry({ place, active }: { readonly place: NavigationItem; readonly active: boolean }) {
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
