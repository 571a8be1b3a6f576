import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { View } from './run-queries.ts';

/** Says by its colour and in words whether something holds. */
function Holds({ holds }: { readonly holds: boolean }) {
  return (
    <ThemeIcon
      size={18}
      radius="xl"
      variant="light"
      color={holds ? 'sea' : 'red'}
      role="img"
      aria-label={holds ? 'Passes' : 'Does not pass'}
    >
      {holds ? <IconCheck size={12} /> : <IconX size={12} />}
    </ThemeIcon>
  );
}

/** What each filter says of a payload. */
export function Verdicts({ filters }: { readonly filters: View['filters'] }) {
  if (filters.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There is no filter: every signal of the source passes.
      </Text>
    );
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
  /** The path of the array; null when the payload is looked at as a whole. */
  readonly forEach: string | null;
  /** Stands at the end of the line of an element. */
  readonly beside?: (element: number) => ReactNode;
}

/** What the filters say, of each element where there are several. */
export function Views({ views, forEach, beside }: Props) {
  if (views.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {forEach === null ? 'There is nothing to look at.' : `There is no array with an element at ${forEach}.`}
      </Text>
    );
  return (
    <Stack gap="md">
      {views.map(({ element, filters }) => (
        <Stack key={element ?? 'whole'} gap={6}>
          {element !== null && (
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600} ff="monospace">
                {forEach}[{element}]
              </Text>
              {beside?.(element)}
            </Group>
          )}
          <Verdicts filters={filters} />
        </Stack>
      ))}
    </Stack>
  );
}
