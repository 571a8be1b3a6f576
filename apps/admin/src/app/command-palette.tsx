import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconFlag, IconFolder, IconLogout, IconMoon, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { projectsQuery } from '../features/projects/project-queries.ts';
import { api } from '../lib/api.ts';
import { useLogout } from './logout.ts';
import { sections } from './places.ts';
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

/** Goes to flags, projects and pages, and does what is done often; each time that `asked` grows it comes up. */
export function CommandPalette({ asked }: { readonly asked: number }) {
  const [query, setQuery] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for, it comes up
  useEffect(palette.open, [asked]);
  const groups = useGroups(query.trim());
  const empty = groups.every(({ entries }) => entries.length === 0);
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
        {empty && <Spotlight.Empty>Nothing is called that.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useGroups(query: string): readonly { readonly title: string; readonly entries: readonly Entry[] }[] {
  const flags = useFlags(query);
  const projects = useProjects();
  const pages = usePages();
  const actions = useActions();
  const wanted = fits(query);
  return [
    { title: 'Feature flags', entries: flags },
    { title: 'Projects', entries: projects.filter(wanted).slice(0, query === '' ? 5 : most) },
    { title: 'Pages', entries: pages.filter(wanted) },
    { title: 'Actions', entries: actions.filter(wanted) },
  ];
}

/** The server looks for flags, for there may be very many. */
function useFlags(query: string): readonly Entry[] {
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
  if (query === '') return [];
  return (found.data?.features ?? []).map(({ name, project, description }) => ({
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
  return sections.flatMap(({ title, places }) =>
    places.map((place) => ({
      id: `page ${place.to}`,
      label: place.label,
      description: title,
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
