import { Group, SegmentedControl, SimpleGrid } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { archivedProjectsQuery, projectsQuery } from '../../entities/projects/project-queries.ts';
import { matches } from '../../lib/query-search.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Muted } from '../../ui/text.tsx';
import { FirstSteps } from '../first-steps/index.ts';
import { type Project, ProjectCard } from './project-card.tsx';
import type { ProjectSearch } from './project-search.ts';

const route = getRouteApi('/projects');

/** Lists the projects that the user can see, favorites first. */
export function ProjectsPage() {
  const search = route.useSearch();
  const archived = search.archived === true;
  const projects = useQuery(archived ? archivedProjectsQuery : projectsQuery);
  const all = projects.data?.projects ?? [];
  const shown = sorted(all.filter((project) => matches(search.query, project.id, project.name, project.description)));
  return (
    <Page
      title={titleOf('/projects')}
      description="Projects group flags, for example by team, product or service."
      actions={
        <Permitted needs="CREATE_PROJECT">
          <ButtonLink to="/create-project" leftSection={<IconPlus size={16} aria-hidden />}>
            New project
          </ButtonLink>
        </Permitted>
      }
    >
      {!archived && <FirstSteps />}
      <Filters search={search} count={projects.data === undefined ? undefined : shown.length} />
      {projects.error !== null && <Failure error={projects.error} onRetry={() => void projects.refetch()} />}
      {projects.isPending && <TableSkeleton rows={3} />}
      {projects.data !== undefined && shown.length === 0 && <NoProjects search={search} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown.map((project) => (
          <ProjectCard key={project.id} project={project} archived={archived} />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function Filters({ search, count }: { readonly search: ProjectSearch; readonly count: number | undefined }) {
  const navigate = route.useNavigate();
  return (
    <Group>
      <SearchInput
        value={search.query}
        label="Search projects"
        placeholder="Search by name, id or description"
        onChange={(query) =>
          void navigate({
            search: ({ query: _query, ...before }) => (query === undefined ? before : { ...before, query }),
            replace: true,
          })
        }
      />
      <SegmentedControl
        data={[
          { value: 'active', label: 'Active' },
          { value: 'archived', label: 'Archived' },
        ]}
        value={search.archived === true ? 'archived' : 'active'}
        onChange={(value) =>
          void navigate({
            search: ({ archived: _archived, ...before }) =>
              value === 'archived' ? { ...before, archived: true as const } : before,
          })
        }
        aria-label="Project state"
      />
      <Muted aria-live="polite">{count === undefined ? '' : count === 1 ? '1 project' : `${count} projects`}</Muted>
    </Group>
  );
}

function NoProjects({ search }: { readonly search: ProjectSearch }) {
  if (search.query !== undefined) return <NoMatch plural="projects" />;
  if (search.archived === true)
    return (
      <EmptyState title="No archived projects">
        A project can be archived when all its flags are archived. You can revive it here.
      </EmptyState>
    );
  return <EmptyState title="No projects">Ask an administrator or a project owner for access.</EmptyState>;
}

function sorted(projects: readonly Project[]): Project[] {
  return projects.toSorted((a, b) => Number(b.favorite) - Number(a.favorite) || a.name.localeCompare(b.name));
}
