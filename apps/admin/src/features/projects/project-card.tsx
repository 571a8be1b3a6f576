import { Badge, Button, Card, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconLock, IconShield } from '@tabler/icons-react';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { FavoriteButton } from '../../ui/favorite-button.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';

export type Project = Answer<'GET /api/admin/projects'>['projects'][number];

/** The card of a project: its name, flags and last change. */
export function ProjectCard({ project, archived }: { readonly project: Project; readonly archived: boolean }) {
  const { featureCount: flags, staleFeatureCount: stale } = project;
  return (
    <Card withBorder padding="lg" component="section" aria-label={project.name}>
      <Stack gap="xs" h="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <SectionTitle lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {archived ? (
              project.name
            ) : (
              <TextLink to="/projects/$projectId" params={{ projectId: project.id }} inherit>
                {project.name}
              </TextLink>
            )}
          </SectionTitle>
          <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
            <Mode mode={project.mode} />
            {!archived && <Favorite project={project} />}
          </Group>
        </Group>
        {project.description !== null && project.description !== '' && (
          <Muted lineClamp={2}>{project.description}</Muted>
        )}
        <Group gap="md" mt="auto">
          <Text size="sm">{flags === 1 ? '1 flag' : `${flags.toLocaleString()} flags`}</Text>
          {stale > 0 && <Muted>{stale.toLocaleString()} stale</Muted>}
          <Muted component="div">
            changed <RelativeTime at={project.lastUpdatedAt} />
          </Muted>
        </Group>
        {archived && <ArchivedActions project={project} />}
      </Stack>
    </Card>
  );
}

function Mode({ mode }: Pick<Project, 'mode'>) {
  if (mode === 'open') return null;
  const isPrivate = mode === 'private';
  return (
    <Tooltip label={isPrivate ? 'Visible only to members' : 'Only members can change it'}>
      <Badge
        color="gray"
        leftSection={isPrivate ? <IconLock size={12} aria-hidden /> : <IconShield size={12} aria-hidden />}
      >
        {isPrivate ? 'Private' : 'Protected'}
      </Badge>
    </Tooltip>
  );
}

function Favorite({ project }: { readonly project: Project }) {
  const params = { projectId: project.id };
  const change = useChange({
    run: (favorite: boolean) =>
      favorite
        ? api('POST /api/admin/projects/:projectId/favorites', { params })
        : api('DELETE /api/admin/projects/:projectId/favorites', { params }),
    changes: ['GET /api/admin/projects'],
  });
  const favorite = change.isPending ? change.variables : project.favorite;
  return <FavoriteButton name={project.name} favorite={favorite} size={18} onChange={change.mutate} />;
}

function ArchivedActions({ project }: { readonly project: Project }) {
  const [asking, setAsking] = useState<'revive' | 'delete'>();
  const params = { projectId: project.id };
  const place = { project: project.id };
  return (
    <Group gap="xs">
      <Permitted needs="DELETE_PROJECT" place={place}>
        <Button size="xs" variant="default" onClick={() => setAsking('revive')}>
          Revive
        </Button>
      </Permitted>
      <Permitted needs="DELETE_PROJECT" place={place}>
        <Button size="xs" variant="light" color="red" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </Permitted>
      {asking === 'revive' && (
        <Confirm
          title={`Revive ${project.name}?`}
          action="Revive project"
          run={() => api('POST /api/admin/projects/revive/:projectId', { params })}
          changes={['GET /api/admin/projects']}
          onClose={() => setAsking(undefined)}
        >
          Its flags stay archived until you revive them.
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${project.name}?`}
          action="Delete project"
          typed={project.id}
          run={() => api('DELETE /api/admin/projects/:projectId', { params })}
          changes={['GET /api/admin/projects']}
          onClose={() => setAsking(undefined)}
        >
          Its archived flags, segments, context fields, and the API tokens limited to it are deleted too. This cannot be
          undone.
        </Confirm>
      )}
    </Group>
  );
}
