import { Group } from '@mantine/core';
import { TextLink } from '../../ui/link.tsx';
import { Hint, SmallBadge } from '../../ui/text.tsx';
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
          <SmallBadge color="gray" style={{ flexShrink: 0 }}>
            Stale
          </SmallBadge>
        )}
      </Group>
      {flag.description !== null && flag.description !== '' && (
        <Hint lineClamp={1} maw={480}>
          {flag.description}
        </Hint>
      )}
    </>
  );
}
