import { Alert, Group, Select, Skeleton, Stack } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type FlagEnvironment, flagQuery } from '../../../entities/flags/flag-queries.ts';
import type { Place, Plan } from '../../../entities/release-plans/plan-queries.ts';
import { safeguardsQuery } from '../../../entities/safeguards/safeguard-queries.ts';
import { Failure } from '../../../ui/failure.tsx';
import { AveragesTable } from './averages-table.tsx';
import { type CourseEvent, courseFrom, courseOf } from './course.ts';
import { CourseChart } from './course-chart.tsx';
import { courseEventsQuery, mostEvents, watchedCurveQuery } from './course-queries.ts';
import { CourseTable, Stops } from './course-text.tsx';
import { minutesBack } from './metric-curve.ts';
import { type WatchedMetric, watchedIn } from './watched.ts';

const dayMs = 86_400_000;

interface Props {
  readonly plan: Plan;
  readonly place: Place;
}

/** The course of a release plan: its exposure, when and why it was stopped, and the metric that is watched. */
export function PlanCourse({ plan, place }: Props) {
  const events = useQuery(courseEventsQuery(place, plan.createdAt));
  const flag = useQuery(flagQuery(place));
  const safeguards = useQuery(safeguardsQuery(place));
  const failed = [events, flag, safeguards].find(({ error }) => error !== null);
  if (failed !== undefined) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  const state = flag.data?.environments.find(({ name }) => name === place.environment);
  if (events.data === undefined || state === undefined || safeguards.data === undefined)
    return <Skeleton height={280} />;
  return (
    <Loaded
      project={place.projectId}
      plan={plan}
      state={state}
      {...events.data}
      now={events.dataUpdatedAt}
      metrics={watchedIn(plan, safeguards.data)}
    />
  );
}

interface LoadedProps {
  readonly project: string;
  readonly plan: Plan;
  readonly state: FlagEnvironment;
  /** The events of the plan, oldest first. */
  readonly events: readonly CourseEvent[];
  readonly isWhole: boolean;
  /** The time at which the events were loaded, in milliseconds UTC. */
  readonly now: number;
  readonly metrics: readonly WatchedMetric[];
}

function Loaded({ project, plan, state, events, isWhole, now, metrics }: LoadedProps) {
  const [period, setPeriod] = useState('day');
  const [chosen, setChosen] = useState(0);
  // The number of metrics changes with the safeguards.
  const index = chosen < metrics.length ? chosen : 0;
  const metric = metrics[index];
  // The clock of the server may be ahead of that of the browser, so an event may be later than `now`.
  const known = Math.max(now, Date.parse(events.at(-1)?.createdAt ?? plan.createdAt));
  const age = known - Date.parse(plan.createdAt);
  const curves = useQueries({ queries: metrics.map((one) => watchedCurveQuery(project, one, age)) });
  const read = curves[index]?.data;
  const error = curves.find((curve) => curve.error !== null)?.error ?? null;
  const to = Math.max(known, read?.end ?? 0);
  const isLong = age > dayMs;
  const whole = courseOf(events, { plan, flag: state, isWhole }, to);
  const course = courseFrom(whole, isLong && period === 'day' ? to - dayMs : 0);
  const from = course[0]?.from ?? 0;
  const watched = metric && {
    name: metric.name,
    threshold: metric.threshold,
    curve: (read?.curve ?? []).filter(({ at }) => at >= from),
  };
  return (
    <Stack gap="xs" component="section" aria-label="Course of the plan">
      <Group gap="sm">
        {isLong && <PeriodSelect value={period} onChange={setPeriod} />}
        {metrics.length > 1 && <MetricSelect metrics={metrics} value={index} onChange={setChosen} />}
      </Group>
      {!isWhole && <Alert color="yellow">Only the newest {mostEvents} events are shown.</Alert>}
      {error !== null && <Failure error={error} />}
      {course.length > 0 && <CourseChart course={course} metric={watched} isLoading={read === undefined} />}
      <Stops course={course} />
      {curves.every(({ data }) => data !== undefined) && (
        <AveragesTable
          course={course}
          metrics={metrics.map(({ name, query }, at) => ({
            name,
            curve: curves[at]?.data?.curve ?? [],
            minutesBack: minutesBack(query),
          }))}
        />
      )}
      <CourseTable course={course} metric={watched} />
    </Stack>
  );
}

interface SelectProps<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
}

function PeriodSelect({ value, onChange }: SelectProps<string>) {
  return (
    <Select
      label="Time"
      size="xs"
      w={220}
      data={[
        { value: 'day', label: 'Last 24 hours' },
        { value: 'all', label: 'Since the plan was added' },
      ]}
      allowDeselect={false}
      value={value}
      onChange={(next) => onChange(next ?? 'day')}
    />
  );
}

function MetricSelect({
  metrics,
  value,
  onChange,
}: SelectProps<number> & { readonly metrics: readonly WatchedMetric[] }) {
  return (
    <Select
      label="Metric"
      size="xs"
      flex="1 1 240px"
      data={metrics.map(({ name }, index) => ({ value: String(index), label: name }))}
      allowDeselect={false}
      value={String(value)}
      onChange={(next) => onChange(Number(next))}
    />
  );
}
