import { Anchor, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useAutofocus } from './autofocus.ts';
import { LeftOutLine, NotesReasons, useLeftOutReasons } from './permitted.tsx';
import { Muted } from './text.tsx';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** The page of the documentation about it, without its ending: `guides/actions#guards`. */
  readonly guide?: string;
  /** Buttons in the header of the page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, which is also the title of the browser tab. */
export function Page({ title, description, guide, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Yardarm`;
  }, [title]);
  const page = useAutofocus();
  const { reasons, note } = useLeftOutReasons();
  return (
    <NotesReasons value={note}>
      <Stack ref={page} gap="lg" maw={1440} mx="auto">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4}>
            <Title order={1} size="h2">
              {title}
            </Title>
            {description !== undefined && <Muted component="div">{description}</Muted>}
            {guide !== undefined && (
              <Anchor href={addressOf(guide)} target="_blank" size="sm" underline="always">
                Read the guide
              </Anchor>
            )}
            <LeftOutLine reasons={reasons} />
          </Stack>
          {actions !== undefined && <Group gap="sm">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </NotesReasons>
  );
}

function addressOf(guide: string): string {
  const [page, heading] = guide.split('#');
  return `docs/${page}.html${heading === undefined ? '' : `#${heading}`}`;
}

/** Renders a skeleton in place of a table that is loading. */
export function TableSkeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <Stack gap="xs" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
        <Skeleton key={index} height={36} />
      ))}
    </Stack>
  );
}
