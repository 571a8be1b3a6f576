import { Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconLock, IconShield } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { projectsQuery } from './project-queries.ts';

type Project = Answer<'GET /api/admin/projects'>['projects'][number];

/** All projects that one may see. */
export function ProjectsPage() {
  const projects = useQuery(projectsQuery);
  return (
    <Page title="Projects" description="Flags live in projects: one for each team, product or service.">
      {projects.error !== null && <Failure error={projects.error} onRetry={() => void projects.refetch()} />}
      {projects.isPending && <TableSkeleton rows={3} />}
      {projects.data?.projects.length === 0 && (
        <EmptyState title="There is no project that you can see">
          Ask somebody who manages one to add you to it.
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {projects.data?.projects.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function ProjectCard({ project }: { readonly project: Project }) {
  return (
    <Card component={Link} to={`/projects/${project.id}`} withBorder padding="lg">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4" lineClamp={2}>
            {project.name}
          </Title>
          {project.mode === 'private' && (
            <Badge variant="light" color="gray" leftSection={<IconLock size={12} />}>
              Private
            </Badge>
          )}
          {project.mode === 'protected' && (
            <Badge variant="light" color="gray" leftSection={<IconShield size={12} />}>
              Protected
            </Badge>
          )}
        </Group>
        {project.description !== null && project.description !== undefined && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {project.description}
          </Text>
        )}
        <Text size="sm">{project.featureCount === 1 ? '1 flag' : `${project.featureCount} flags`}</Text>
      </Stack>
    </Card>
  );
}
