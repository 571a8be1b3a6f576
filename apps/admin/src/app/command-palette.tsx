import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconFlag, IconFolder, IconLogout, IconMoon, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { projectsQuery } from '../features/projects/project-queries.ts';
import { api } from '../lib/api.ts';
import { reasonOf, useMay } from '../lib/me.ts';
import { type MenuPlace, sections } from '../ui/places.ts';
import { useLogout } from './logout.ts';
import { useScheme } from './scheme-switch.tsx';

const [store, palette] = createSpotlight();

const most = 7;

/** Something that one can go to or do. */
interface Entry {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** Whether each word that was typed is somewhere in what the entry says. */
function fits(query: string): (entry: Entry) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ label, description = '' }) => {
    const text = `${label} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** The palette marks the selected one in the page, and the mark goes with an entry that is found no more. */
function isOneSelected(): boolean {
  return document.getElementById(store.getState().listId)?.querySelector('[data-selected]') instanceof Element;
}

/** Marks what stands first, as the palette does when something is typed: flags come a moment later, and above what was first. */
function selectFirst(): void {
  const { listId, selected } = store.getState();
  // Who has moved the mark keeps it.
  if (selected > 0) return;
  const list = document.getElementById(listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
}

/** Goes to flags, projects and pages, and does what is done often; each time that `asked` grows it comes up. */
export function CommandPalette({ asked }: { readonly asked: number }) {
  const [query, setQuery] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for, it comes up
  useEffect(() => {
    // It forgets what was typed when it has faded away, and it may be asked for before that.
    if (!store.getState().opened) setQuery('');
    palette.open();
  }, [asked]);
  const { groups, looking } = useGroups(query.trim());
  const first = groups.find(({ entries }) => entries.length > 0)?.entries[0];
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one has come to stand first
  useEffect(() => {
    if (query.trim() !== '' && !looking) selectFirst();
  }, [looking, first?.id]);
  // Enter takes the first where none is selected, when what was typed has been looked for.
  useEffect(() => {
    if (chosen === null || looking) return;
    setChosen(null);
    if (chosen !== query.trim() || first === undefined) return;
    palette.close();
    first.run();
  }, [chosen, looking, query, first]);
  return (
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
        placeholder="Flags, projects, pages, actions"
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
        {first === undefined && !looking && <Spotlight.Empty>Nothing is called that.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

interface Groups {
  readonly groups: readonly { readonly title: string; readonly entries: readonly Entry[] }[];
  /** Whether flags are being looked for. */
  readonly looking: boolean;
}

function useGroups(query: string): Groups {
  const flags = useFlags(query);
  const projects = useProjects();
  const pages = usePages();
  const actions = useActions();
  const wanted = fits(query);
  return {
    groups: [
      // Those found for what was typed before stay only where they fit what is typed now: Enter takes the first.
      { title: 'Feature flags', entries: flags.looking ? flags.found.filter(wanted) : flags.found },
      { title: 'Projects', entries: projects.filter(wanted).slice(0, query === '' ? 5 : most) },
      { title: 'Pages', entries: pages.filter(wanted) },
      { title: 'Actions', entries: actions.filter(wanted) },
    ],
    looking: flags.looking,
  };
}

/** The server looks for flags, for there may be very many. */
function useFlags(query: string): { readonly found: readonly Entry[]; readonly looking: boolean } {
  const navigate = useNavigate();
  const found = useQuery({
    queryKey: ['GET /api/admin/search/features', 'palette', query],
    queryFn: () =>
      api('GET /api/admin/search/features', {
        query: { query, limit: String(most), sortBy: 'name', sortOrder: 'asc' },
      }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const flags = query === '' ? [] : (found.data?.features ?? []);
  const entries = flags.map(({ name, project, description }) => ({
    id: `flag ${name}`,
    label: name,
    description: [project, description].filter(Boolean).join(' · '),
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

function usePages(): readonly Entry[] {
  const navigate = useNavigate();
  const may = useMay();
  return sections.flatMap(({ title, places }) =>
    places.map((place: MenuPlace) => ({
      id: `page ${place.to}`,
      label: place.label,
      description: place.needs === undefined || may(place.needs) ? title : reasonOf(place.needs),
      icon: <place.icon size={18} aria-hidden />,
      run: () => void navigate({ to: place.to }),
    })),
  );
}

function useActions(): readonly Entry[] {
  const scheme = useScheme();
  const logout = useLogout();
  return [
    { id: 'scheme', label: scheme.label, icon: <IconMoon size={18} aria-hidden />, run: scheme.change },
    { id: 'logout', label: 'Log out', icon: <IconLogout size={18} aria-hidden />, run: logout },
  ];
}
