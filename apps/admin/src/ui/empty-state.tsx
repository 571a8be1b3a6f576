import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** What it is for and what to do next. */
  readonly children: ReactNode;
  /**
   * Leads elsewhere, where what is missing comes from. The button that makes the first of a list is not repeated here: it stands
   * where it stands when there are many, in the header of the page or of the section, so that there is one of it and it never moves.
   */
  readonly action?: ReactNode;
}

/** Stands where a list would be that has nothing in it. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <Stack align="center" py="xl" px="md" gap="xs">
      <Title order={2} size="h4" ta="center">
        {title}
      </Title>
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
