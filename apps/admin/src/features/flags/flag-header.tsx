import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Flag, featureTypesQuery } from '../../entities/flags/flag-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FavoriteFlag } from './favorite-flag.tsx';
import { FlagMenu } from './flag-menu.tsx';

/** The name, type and description of a flag. */
export function FlagHeader({ flag }: { readonly flag: Flag }) {
  const { data: types } = useQuery(featureTypesQuery);
  useEffect(() => {
    document.title = `${flag.name} · Yardarm`;
  }, [flag.name]);
  return (
    <Stack gap="xs">
      <ProjectCrumbs projectId={flag.project} />
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Group gap="xs">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {flag.name}
          </Title>
          <CopyButton value={flag.name} label="Copy the name" />
          <FavoriteFlag flag={flag} />
        </Group>
        <FlagMenu flag={flag} />
      </Group>
      <Group gap="xs">
        <Badge>{types?.find(({ id }) => id === flag.type)?.name ?? flag.type}</Badge>
        {flag.stale && <Badge color="orange">Stale</Badge>}
        {flag.archived && <Badge color="gray">Archived</Badge>}
      </Group>
      {flag.description !== null && flag.description !== '' && (
        <Text c="dimmed" maw={800} style={{ whiteSpace: 'pre-line' }}>
          {flag.description}
        </Text>
      )}
    </Stack>
  );
}
