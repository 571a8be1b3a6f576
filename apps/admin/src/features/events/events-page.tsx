import { Button, Group } from '@mantine/core';
import { useWindowScroll } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { countOf, type EventPage, eventsQuery, pageSize } from '../../entities/events/event-queries.ts';
import { type EventSearch, filtersOf } from '../../entities/events/event-search.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { Muted } from '../../ui/text.tsx';
import { DetailDrawer } from './detail-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import styles from './event-list.module.css';
import { EventList } from './event-list.tsx';
import { ExportMenu } from './export-menu.tsx';
import { useNewEvents } from './live-events.ts';
import { Timeline } from './timeline/timeline.tsx';

const route = getRouteApi('/history');

/** The event log: all events, newest first, updated live. */
export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useInfiniteQuery(eventsQuery(search));
  const change = (part: EventSearch) => {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  };
  const { count, isWhole } = countOf(data?.pages ?? []);
  const counted = `${isWhole ? '' : 'At least '}${count.toLocaleString()} ${count === 1 ? 'event' : 'events'}`;
  return (
    <Page
      title={titleOf('/history')}
      guide="guides/auditing"
      description="Every change: who made it, when, and what caused it."
    >
      <Timeline search={search} onChange={change} />
      <EventFilters search={search} onChange={change}>
        <Group gap="sm" ml="auto">
          <Muted aria-live="polite">{data === undefined ? '' : counted}</Muted>
          <ExportMenu search={search} count={count} isWhole={isWhole} />
        </Group>
      </EventFilters>
      <EventLog key={JSON.stringify(filtersOf(search))} search={search} />
      <DetailDrawer
        event={search.event}
        received={search.received}
        onClose={() => change({ event: undefined, received: undefined })}
      />
    </Page>
  );
}

/** Lists the events. New events appear at once while the top of the list is visible and no event is expanded. */
function EventLog({ search }: { readonly search: EventSearch }) {
  const events = useInfiniteQuery(eventsQuery(search));
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [scroll, scrollTo] = useWindowScroll();
  // New events move others from the end of one page to the start of the next: remove duplicates.
  const all = events.data?.pages.flatMap((page) => page.events) ?? [];
  const shown = [...new Map(all.map((event) => [event.id, event])).values()];
  const following = scroll.y < 300 && open.size === 0;
  const fresh = useNewEvents(search, events.data && (shown[0]?.id ?? 0), following);
  const toggle = (id: number) =>
    setOpen((before) => new Set(before.has(id) ? [...before].filter((row) => row !== id) : [...before, id]));
  if (events.error !== null && events.data === undefined)
    return <Failure error={events.error} onRetry={() => void events.refetch()} />;
  if (events.data === undefined) return <TableSkeleton />;
  return (
    <>
      {!following && fresh.count > 0 && (
        <Button
          className={styles.fresh}
          radius="xl"
          leftSection={<IconArrowUp size={16} aria-hidden />}
          onClick={() => {
            fresh.show();
            scrollTo({ y: 0 });
          }}
          aria-live="polite"
        >
          {fresh.count}
          {fresh.more && '+'} new {fresh.count === 1 ? 'event' : 'events'}
        </Button>
      )}
      {shown.length === 0 && !events.hasNextPage && (
        <NothingFound filtered={Object.keys(filtersOf(search)).length > 0} />
      )}
      {shown.length === 0 && events.hasNextPage && (
        <EmptyState title="No matches in the newest events">
          Older events have not been searched yet. More filters or a time range make the search faster.
        </EmptyState>
      )}
      <EventList events={shown} open={open} onToggle={toggle} />
      <LoadMore query={events} label={wasCut(events.data.pages) ? 'Search older events' : 'Load more'} align="center" />
      {events.isFetchNextPageError && <Failure error={events.error} onRetry={() => void events.fetchNextPage()} />}
    </>
  );
}

/** Returns whether the last page is short because the search reached its row limit. */
function wasCut(pages: readonly EventPage[]): boolean {
  const last = pages.at(-1);
  return last !== undefined && last.nextCursor !== null && last.events.length < pageSize;
}

function NothingFound({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <NoMatch plural="events" hint="Try fewer words, or clear a filter." />;
  return <EmptyState title="No events yet">Every change of flags, projects and settings is listed here.</EmptyState>;
}
