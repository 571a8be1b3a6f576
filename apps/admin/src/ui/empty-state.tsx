import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { SectionTitle } from './text.tsx';

interface Props {
  readonly title: string;
  /** The purpose of the list, and the next step. */
  readonly children: ReactNode;
  /**
   * A link to another page. The button that creates the first item is not repeated here: it stays in the header of the
   * page or section, where it is when the list has items.
   */
  readonly action?: ReactNode;
}

/** Renders a title, a text and a link in place of an empty list. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <Stack align="center" py="xl" px="md" gap="xs">
      <SectionTitle ta="center">{title}</SectionTitle>
      <Text c="dimmed" ta="center" maw={480}>
        {children}
      </Text>
      {action}
    </Stack>
  );
}

/** The state of a list when a search or a filter hides all rows: "No segments match. Try fewer words." */
export function NoMatch({ plural, hint = 'Try fewer words.' }: { readonly plural: string; readonly hint?: string }) {
  return <EmptyState title={`No ${plural} match`}>{hint}</EmptyState>;
}
