import { Accordion, Badge, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Answer, api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { EventSearch } from './event-search.ts';

type Event = Answer<'GET /api/admin/search/events'>['events'][number];

const route = getRouteApi('/history');
const pageSize = 50;

/** Who changed what, and why: the newest first, and new ones as they happen. */
export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const events = useInfiniteQuery({
    queryKey: ['GET /api/admin/search/events', search],
    queryFn: ({ pageParam }) =>
      api('GET /api/admin/search/events', {
        query: { ...filtersOf(search), limit: String(pageSize), offset: String(pageParam) },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.events.length < pageSize ? undefined : all.length * pageSize),
    refetchInterval: 5_000,
  });
  const setQuery = useDebouncedCallback((query: string) => {
    void navigate({ search: (before) => ({ ...before, query }), replace: true });
  }, 250);
  const shown = events.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <Page title="Event log" description="Everything that was ever changed, by whom, and what caused it.">
      <TextInput
        aria-label="Search events"
        placeholder="Search in what was changed"
        leftSection={<IconSearch size={16} />}
        defaultValue={search.query ?? ''}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        maw={420}
      />
      {events.error !== null && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.isPending && <TableSkeleton />}
      {events.data !== undefined && shown.length === 0 && (
        <EmptyState title="No event is like that">Look for fewer words.</EmptyState>
      )}
      <Accordion variant="separated" chevronPosition="left">
        {shown.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </Accordion>
      {events.hasNextPage && (
        <Button variant="default" onClick={() => void events.fetchNextPage()} loading={events.isFetchingNextPage}>
          Load more
        </Button>
      )}
    </Page>
  );
}

function filtersOf({ query, feature, project }: EventSearch) {
  return {
    ...(query === undefined ? {} : { query }),
    ...(feature === undefined ? {} : { feature: `IS:${feature}` }),
    ...(project === undefined ? {} : { project: `IS:${project}` }),
  };
}

function EventItem({ event }: { readonly event: Event }) {
  return (
    <Accordion.Item value={String(event.id)}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Text fw={550} size="sm">
              {event.label}
            </Text>
            {event.featureName !== null && <Code>{event.featureName}</Code>}
            {event.environment !== null && (
              <Badge size="sm" variant="light" color="gray" tt="none">
                {event.environment}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="span">
            {event.createdBy} · <RelativeTime at={event.createdAt} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <State title="Before" value={event.preData} />
          <State title="After" value={event.data} />
        </SimpleGrid>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function State({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <Stack gap={4}>
      <Text size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      {value === null ? (
        <Text size="sm" c="dimmed">
          Nothing
        </Text>
      ) : (
        <Code block>{JSON.stringify(value, null, 2)}</Code>
      )}
    </Stack>
  );
}
