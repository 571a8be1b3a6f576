import { Badge, Group, Text } from '@mantine/core';
import { TextLink } from '../../ui/link.tsx';
import type { FlagRow } from './flag-search-query.ts';

/** The name and description of a flag in a table. */
export function FlagName({ flag }: { readonly flag: FlagRow }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <TextLink
          to="/projects/$projectId/features/$featureName"
          params={{ projectId: flag.project, featureName: flag.name }}
          fw={550}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {flag.name}
        </TextLink>
        {flag.stale && (
          <Badge size="sm" color="gray" variant="light" tt="none" style={{ flexShrink: 0 }}>
            Stale
          </Badge>
        )}
      </Group>
      {flag.description !== null && flag.description !== '' && (
        <Text size="xs" c="dimmed" lineClamp={1} maw={480}>
          {flag.description}
        </Text>
      )}
    </>
  );
}
