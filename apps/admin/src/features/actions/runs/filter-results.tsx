import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { View } from '../../../entities/runs/run-queries.ts';
import { Muted, Strong } from '../../../ui/text.tsx';

/** Shows by color and text whether a filter matches. */
function Holds({ holds }: { readonly holds: boolean }) {
  return (
    <ThemeIcon
      size={18}
      radius="xl"
      variant="light"
      color={holds ? 'sea' : 'red'}
      role="img"
      aria-label={holds ? 'Matches' : 'Does not match'}
    >
      {holds ? <IconCheck size={12} /> : <IconX size={12} />}
    </ThemeIcon>
  );
}

/** Lists the result of each filter for a payload. */
export function FilterResults({ filters }: { readonly filters: View['filters'] }) {
  if (filters.length === 0) return <Muted>No filters: every signal of the source matches.</Muted>;
  return (
    <Stack gap={6}>
      {filters.map(({ path, passes, why }) => (
        <Group key={path} gap="xs" wrap="nowrap" align="flex-start">
          <Holds holds={passes} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {why}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

interface Props {
  readonly views: readonly View[];
  /** The path of the array; null when the set runs for the whole payload. */
  readonly forEach: string | null;
  /** Rendered at the end of an element's line. */
  readonly beside?: (element: number) => ReactNode;
}

/** Lists the filter results for the payload, or for each element when the set runs for elements. */
export function ElementFilterResults({ views, forEach, beside }: Props) {
  if (views.length === 0)
    return (
      <Muted>{forEach === null ? 'There is no payload.' : `The payload has no array elements at ${forEach}.`}</Muted>
    );
  return (
    <Stack gap="md">
      {views.map(({ element, filters }) => (
        <Stack key={element ?? 'whole'} gap={6}>
          {element !== null && (
            <Group justify="space-between" gap="xs">
              <Strong ff="monospace">
                {forEach}[{element}]
              </Strong>
              {beside?.(element)}
            </Group>
          )}
          <FilterResults filters={filters} />
        </Stack>
      ))}
    </Stack>
  );
}
