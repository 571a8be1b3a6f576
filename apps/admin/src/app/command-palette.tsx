import '@mantine/spotlight/styles.css';
import { Anchor } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconBolt, IconFlag, IconFolder, IconLogout, IconMoon, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { allActionsQuery } from '../entities/actions/action-queries.ts';
import { projectsQuery } from '../entities/projects/project-queries.ts';
import { apiQuery } from '../lib/api-query.ts';
import { useLogout } from './logout.ts';
import { useEndpointEntries } from './palette/endpoints.tsx';
import { type Entry, matching, maxResults } from './palette/entry.ts';
import { helpEntries } from './palette/help.tsx';
import { useIncidentEntries } from './palette/incidents.tsx';
import { usePageEntries } from './palette/pages.tsx';
import { useSegmentEntries } from './palette/segments.tsx';
import { useSettingsEntries } from './palette/settings.tsx';
import { useUserEntries } from './palette/users.tsx';
import { useScheme } from './scheme-switch.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

const [store, palette] = createSpotlight();

/**
 * Returns whether an entry is selected. The palette marks the selected entry in the DOM; the mark disappears when that
 * entry does.
 */
function isOneSelected(): boolean {
  return document.getElementById(store.getState().listId)?.querySelector('[data-selected]') instanceof Element;
}

/** Selects the first entry, because flags arrive later than the other entries and are listed above them. */
function selectFirst(): void {
  const { listId, selected } = store.getState();
  // The user has selected a lower entry: keep it.
  if (selected > 0) return;
  const list = document.getElementById(listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
}

/**
 * The command palette: finds flags, projects, pages, actions, segments, endpoints, incidents, users, settings,
 * help and commands. It opens each time `openCount` grows.
 */
export function CommandPalette({ openCount }: { readonly openCount: number }) {
  const [query, setQuery] = useState('');
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens each time `openCount` grows
  useEffect(() => {
    // The palette clears the query after it has faded out. When it opens again before that, clear the query here.
    if (!store.getState().opened) setQuery('');
    palette.open();
  }, [openCount]);
  const { groups, looking } = useGroups(query.trim(), () => setShowsShortcuts(true));
  const first = groups.find(({ entries }) => entries.length > 0)?.entries[0];
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another entry becomes the first
  useEffect(() => {
    if (query.trim() !== '' && !looking) selectFirst();
  }, [looking, first?.id]);
  // Enter runs the first entry when none is selected and the search is complete.
  useEffect(() => {
    if (chosen === null || looking) return;
    setChosen(null);
    if (chosen !== query.trim() || first === undefined) return;
    palette.close();
    first.run();
  }, [chosen, looking, query, first]);
  return (
    <>
      <Spotlight.Root
        store={store}
        shortcut={null}
        query={query}
        onQueryChange={setQuery}
        scrollable
        maxHeight={480}
        styles={{ actionDescription: { opacity: 1 } }}
      >
        <Spotlight.Search
          placeholder="Flags, projects, pages, actions and more"
          aria-label="Search or go to"
          leftSection={<IconSearch size={18} aria-hidden />}
          onKeyDown={({ key }) => key === 'Enter' && !isOneSelected() && setChosen(query.trim())}
        />
        <Spotlight.ActionsList>
          {groups.map(
            ({ title, entries }) =>
              entries.length > 0 && (
                <Spotlight.ActionsGroup key={title} label={title}>
                  {entries.map(({ id, label, description, icon, run }) => (
                    <Spotlight.Action
                      key={id}
                      label={label}
                      {...(description === undefined ? {} : { description })}
                      leftSection={icon}
                      onClick={run}
                    />
                  ))}
                </Spotlight.ActionsGroup>
              ),
          )}
          {first === undefined && !looking && (
            <Spotlight.Empty>
              No results. Try fewer words, or{' '}
              <Anchor
                href={`docs/index.html?search=${encodeURIComponent(query)}`}
                target="_blank"
                inherit
                underline="always"
              >
                search the documentation
              </Anchor>
              .
            </Spotlight.Empty>
          )}
        </Spotlight.ActionsList>
      </Spotlight.Root>
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
    </>
  );
}

interface Groups {
  readonly groups: readonly { readonly title: string; readonly entries: readonly Entry[] }[];
  /** Whether the search for flags is in progress. */
  readonly looking: boolean;
}

function useGroups(query: string, showShortcuts: () => void): Groups {
  const flags = useFlags(query);
  const projects = useProjects();
  const pages = usePageEntries(query);
  const actions = useActions(query);
  const segments = useSegmentEntries(query);
  const endpoints = useEndpointEntries(query);
  const incidents = useIncidentEntries(query);
  const users = useUserEntries(query);
  const settings = useSettingsEntries(query);
  const commands = useCommands();
  const matches = (entries: readonly Entry[]) => matching(entries, query);
  return {
    groups: [
      // Flags of the previous query are shown only if they match the current one, because Enter runs the first entry.
      { title: 'Feature flags', entries: flags.looking ? matches(flags.found) : flags.found },
      { title: 'Projects', entries: matches(projects).slice(0, query === '' ? 5 : maxResults) },
      { title: 'Pages', entries: matches(pages) },
      { title: 'Actions', entries: matches(actions).slice(0, maxResults) },
      { title: 'Segments', entries: matches(segments).slice(0, maxResults) },
      { title: 'Signal endpoints', entries: matches(endpoints).slice(0, maxResults) },
      { title: 'Incidents', entries: matches(incidents).slice(0, maxResults) },
      { title: 'Users', entries: matches(users).slice(0, maxResults) },
      { title: 'Project settings', entries: matches(settings).slice(0, maxResults) },
      { title: 'Help', entries: matches(helpEntries(showShortcuts)) },
      { title: 'Commands', entries: matches(commands) },
    ],
    looking: flags.looking,
  };
}

/** Searches flags on the server, because there may be very many. */
function useFlags(query: string): { readonly found: readonly Entry[]; readonly looking: boolean } {
  const navigate = useNavigate();
  const found = useQuery({
    ...apiQuery('GET /api/admin/search/features', {
      query: { query, limit: String(maxResults), sortBy: 'name', sortOrder: 'asc' },
    }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const flags = query === '' ? [] : (found.data?.features ?? []);
  const entries = flags.map(({ name, project, description, environments }) => ({
    id: `flag ${name}`,
    label: name,
    description: [project, environments.some(({ lease }) => lease !== null) && 'held', description]
      .filter(Boolean)
      .join(' · '),
    icon: <IconFlag size={18} aria-hidden />,
    run: () =>
      void navigate({
        to: '/projects/$projectId/features/$featureName',
        params: { projectId: project, featureName: name },
      }),
  }));
  return { found: entries, looking: found.isFetching && (found.isPending || found.isPlaceholderData) };
}

function useProjects(): readonly Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery(projectsQuery);
  return (data?.projects ?? []).map(({ id, name, description }) => ({
    id: `project ${id}`,
    label: name,
    description: description ?? undefined,
    icon: <IconFolder size={18} aria-hidden />,
    run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
  }));
}

function useActions(query: string): readonly Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery({ ...allActionsQuery, enabled: query !== '' });
  return (data?.actions ?? []).map(({ id, name, project, enabled, shadow, blocked }) => ({
    id: `action ${id}`,
    label: name,
    description: [project, !enabled && 'disabled', shadow && 'shadow mode', blocked !== null && 'cannot run']
      .filter(Boolean)
      .join(' · '),
    icon: <IconBolt size={18} aria-hidden />,
    run: () =>
      void navigate({
        to: '/projects/$projectId/settings/actions',
        params: { projectId: project },
        search: { runsOf: id },
      }),
  }));
}

function useCommands(): readonly Entry[] {
  const scheme = useScheme();
  const logout = useLogout();
  return [
    { id: 'scheme', label: scheme.label, icon: <IconMoon size={18} aria-hidden />, run: scheme.change },
    {
      id: 'logout',
      label: 'Log out',
      description: 'Sign out, end this session',
      icon: <IconLogout size={18} aria-hidden />,
      run: logout,
    },
  ];
}
