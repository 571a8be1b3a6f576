import { Badge, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useMay } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FlagLink } from '../../ui/flag-link.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint } from '../../ui/text.tsx';

type Dashboard = Answer<'GET /api/admin/personal-dashboard'>;

/** The user's projects and flags. */
export function OwnFlagsAndProjects() {
  const dashboard = useQuery(apiQuery('GET /api/admin/personal-dashboard'));
  return (
    <Loaded query={dashboard}>
      {({ flags, projects, administrators }) => (
        <Stack gap="lg">
          <SectionCard title="My flags" description="Flags that you created or marked as favorites, newest first.">
            <Flags flags={flags} />
          </SectionCard>
          <SectionCard title="My projects" description="Projects in which you have a role.">
            <Projects projects={projects} administrators={administrators} />
          </SectionCard>
        </Stack>
      )}
    </Loaded>
  );
}

function Flags({ flags }: Pick<Dashboard, 'flags'>) {
  return (
    <Listing
      rows={flags}
      rowKey={({ name }) => name}
      spacing="xs"
      minWidth={300}
      empty={
        <EmptyState
          title="No flags yet"
          action={
            <ButtonLink to="/projects" variant="default">
              Go to the projects
            </ButtonLink>
          }
        >
          Flags that you create or mark as favorites appear here.
        </EmptyState>
      }
      columns={columns}
    />
  );
}

type Flag = Dashboard['flags'][number];

const columns: readonly Column<Flag>[] = [
  { header: 'Flag', cell: (flag) => <FlagName flag={flag} /> },
  {
    header: 'Project',
    visibleFrom: 'sm',
    cell: ({ project }) => (
      <TextLink to="/projects/$projectId" params={{ projectId: project }} size="sm">
        {project}
      </TextLink>
    ),
  },
  { header: 'Created', breaks: 'never', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function FlagName({ flag: { name, project, type, favorite } }: { readonly flag: Flag }) {
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <FlagLink projectId={project} featureName={name} />
        {favorite && <IconStarFilled size={14} role="img" aria-label="Favorite" />}
      </Group>
      <Hint>{type}</Hint>
    </>
  );
}

function Projects({ projects, administrators }: Pick<Dashboard, 'projects' | 'administrators'>) {
  const isAdmin = useMay()('ADMIN');
  if (projects.length === 0 && isAdmin)
    return (
      <EmptyState title="No projects of your own">
        You have no role in a project. As an administrator you can open{' '}
        <TextLink to="/projects" inherit underline="always">
          all projects
        </TextLink>
        .
      </EmptyState>
    );
  if (projects.length === 0)
    return (
      <EmptyState title="No projects yet">
        Ask the owner of a project for a role. These administrators can assign roles in every project:{' '}
        {administrators.map(({ name, username, email, id }) => name || username || email || `#${id}`).join(', ')}.
      </EmptyState>
    );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {projects.map(({ id, name, featureCount, staleFeatureCount, health, roles }) => (
        <Card key={id} withBorder padding="md">
          <Stack gap="xs">
            <TextLink to="/projects/$projectId" params={{ projectId: id }} fw={600}>
              {name}
            </TextLink>
            <Group gap={4}>
              {roles.map((role) => (
                <Badge key={role.id} color="gray">
                  {role.name}
                </Badge>
              ))}
            </Group>
            <Text size="sm">
              {featureCount === 1 ? '1 flag' : `${featureCount} flags`}, {staleFeatureCount} stale, health {health} %
            </Text>
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}
