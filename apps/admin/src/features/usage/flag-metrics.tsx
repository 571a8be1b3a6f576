import { Card, Group, Progress, Select, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type Point, percentOf, seriesOf, shareOf, totalsBy } from '../../entities/usage/series.ts';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { formatDateMinute, formatUtcDate } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { TableSkeleton } from '../../ui/page.tsx';
import { Muted } from '../../ui/text.tsx';
import { FlagCharts } from '../metric-charts/index.ts';
import { HeldEnvironments } from './held-environments.tsx';
import { spans, type UsageSearch } from './usage-search.ts';

type Usage = Answer<'GET /api/admin/client-metrics/features/:name/raw'>['data'][number];

const route = getRouteApi('/projects/$projectId/features/$featureName/metrics');
const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));

/** The evaluations of a flag by time, environment and application, and its charts. */
export function FlagMetrics() {
  const { projectId, featureName: name } = route.useParams();
  const search = route.useSearch();
  const hours = search.hours ?? 48;
  const usage = useQuery({
    ...apiQuery('GET /api/admin/client-metrics/features/:name/raw', {
      params: { name },
      query: { hoursBack: String(hours) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  const all = usage.data?.data ?? [];
  const shown = all.filter(
    ({ environment, appName }) =>
      (search.env === undefined || environment === search.env) &&
      (search.application === undefined || appName === search.application),
  );
  return (
    <Stack>
      <HeldEnvironments environment={search.env} />
      <Filters search={search} hours={hours} usage={all} />
      {usage.error !== null && <Failure error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isPending && <TableSkeleton />}
      {usage.data !== undefined && shown.length === 0 && (
        <EmptyState title="No evaluations in this time">
          SDKs report about once a minute. Select a longer time, or all environments and applications.
        </EmptyState>
      )}
      {shown.length > 0 && <Shown usage={shown} hours={hours} now={usage.dataUpdatedAt} />}
      <FlagCharts flag={{ projectId, featureName: name }} />
      {shown.length > 0 && <PointTable points={seriesOf(shown, hours, usage.dataUpdatedAt)} daily={hours > 48} />}
    </Stack>
  );
}

interface FiltersProps {
  readonly search: UsageSearch;
  readonly hours: number;
  readonly usage: readonly Usage[];
}

function Filters({ search, hours, usage }: FiltersProps) {
  const navigate = route.useNavigate();
  const set = (change: { [K in keyof UsageSearch]?: UsageSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as UsageSearch, replace: true });
  return (
    <Group align="flex-end">
      <NameSelect
        label="Environment"
        any="All environments"
        names={usage.map(({ environment }) => environment)}
        value={search.env}
        onChange={(env) => set({ env })}
      />
      <NameSelect
        label="Application"
        any="All applications"
        names={usage.map(({ appName }) => appName)}
        value={search.application}
        onChange={(application) => set({ application })}
      />
      <Select
        label="Time"
        data={spans.map((span) => ({ value: String(span.hours), label: span.label }))}
        value={String(hours)}
        onChange={(text) => set({ hours: Number(text) })}
        allowDeselect={false}
      />
    </Group>
  );
}

interface NameProps {
  readonly label: string;
  /** The placeholder for no selection. */
  readonly any: string;
  /** May contain duplicates. */
  readonly names: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (name: string | undefined) => void;
}

function NameSelect({ label, any, names, value, onChange }: NameProps) {
  return (
    <Select
      label={label}
      placeholder={any}
      data={[...new Set([...names, ...(value === undefined ? [] : [value])])].sort()}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      searchable
    />
  );
}

function Shown({
  usage,
  hours,
  now,
}: {
  readonly usage: readonly Usage[];
  readonly hours: number;
  readonly now: number;
}) {
  const daily = hours > 48;
  const points = seriesOf(usage, hours, now);
  const variants = totalsBy(
    usage.flatMap(({ variants: counted, timestamp }) =>
      Object.entries(counted).map(([variant, yes]) => ({ variant, timestamp, yes, no: 0 })),
    ),
    ({ variant }) => variant,
  );
  return (
    <>
      <Card withBorder padding="md">
        <Suspense fallback={<Skeleton height={280} />}>
          <UsageChart points={points} daily={daily} />
        </Suspense>
      </Card>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Totals title="Applications" rows={totalsBy(usage, ({ appName }) => appName)} />
        <Totals title="Environments" rows={totalsBy(usage, ({ environment }) => environment)} />
      </SimpleGrid>
      {variants.length > 0 && <Variants rows={variants} />}
    </>
  );
}

interface TotalsProps {
  readonly title: string;
  readonly rows: readonly { readonly key: string; readonly yes: number; readonly no: number }[];
}

function Totals({ title, rows }: TotalsProps) {
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Listing
        rows={rows}
        rowKey={({ key }) => key}
        spacing={7}
        minWidth={260}
        columns={[{ header: 'Name', breaks: 'anywhere', cell: ({ key }) => key }, ...countColumns]}
      />
    </Card>
  );
}

const countColumns: readonly Column<{ readonly yes: number; readonly no: number }>[] = [
  { header: 'Yes', align: 'right', cell: ({ yes }) => yes.toLocaleString() },
  { header: 'No', align: 'right', cell: ({ no }) => no.toLocaleString() },
  { header: 'Exposed', align: 'right', cell: shareOf },
];

function Variants({ rows }: { readonly rows: TotalsProps['rows'] }) {
  const sum = rows.reduce((total, { yes }) => total + yes, 0);
  return (
    <Card withBorder padding="md" component="section" aria-label="Variants">
      <Title order={2} size="h5" mb="xs">
        Variants
      </Title>
      <Stack gap="xs">
        {rows.map(({ key, yes }) => (
          <div key={key}>
            <Group justify="space-between">
              <Text size="sm">{key}</Text>
              <Muted>
                {yes.toLocaleString()} ({percentOf(yes, sum)} %)
              </Muted>
            </Group>
            <Progress value={sum === 0 ? 0 : (yes / sum) * 100} size="sm" aria-hidden />
          </div>
        ))}
      </Stack>
    </Card>
  );
}

function PointTable({ points, daily }: { readonly points: readonly Point[]; readonly daily: boolean }) {
  const counted = points.filter(({ yes, no }) => yes + no > 0).reverse();
  const name = daily ? formatUtcDate : formatDateMinute;
  return (
    <Card withBorder padding="md" component="section" aria-label={daily ? 'By day' : 'By hour'}>
      <Title order={2} size="h5" mb="xs">
        {daily ? 'By day (UTC)' : 'By hour'}
      </Title>
      <Listing
        rows={counted}
        rowKey={({ at }) => at}
        spacing={7}
        minWidth={280}
        columns={[{ header: daily ? 'Day' : 'From', cell: ({ at }) => name(at) }, ...countColumns]}
      />
    </Card>
  );
}
