import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { eventsQuery } from '../../entities/events/event-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextLink } from '../../ui/link.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { TableSkeleton } from '../../ui/page.tsx';
import { EventList } from '../events/index.ts';

const route = getRouteApi('/projects/$projectId/features/$featureName');

/** The events of a flag, newest first. */
export function FlagEvents() {
  const { featureName } = route.useParams();
  const events = useInfiniteQuery(eventsQuery({ feature: [featureName] }));
  useEachNewer('events', events.refetch);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const all = events.data?.pages.flatMap((page) => page.events) ?? [];
  // New events move others from the end of one page to the start of the next: remove duplicates.
  const shown = [...new Map(all.map((event) => [event.id, event])).values()];
  return (
    <Stack>
      <TextLink to="/history" search={{ feature: [featureName] }} size="sm">
        Open in the event log
      </TextLink>
      {events.error !== null && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.isPending && <TableSkeleton />}
      {events.data !== undefined && shown.length === 0 && (
        <EmptyState title="No events yet">Changes of this flag are listed here.</EmptyState>
      )}
      <EventList
        events={shown}
        open={open}
        onToggle={(id) =>
          setOpen((before) => new Set(before.has(id) ? [...before].filter((row) => row !== id) : [...before, id]))
        }
      />
      <LoadMore query={events} align="flex-start" />
    </Stack>
  );
}
