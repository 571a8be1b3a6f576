import { AreaChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Paper, Text } from '@mantine/core';
import { shortNumber } from '../../../entities/safeguards/safeguard-words.ts';
import { formatDateMinute } from '../../../ui/dates.ts';
import { Hint } from '../../../ui/text.tsx';
import { type ExposedStretch, stretchAt } from './course.ts';
import { describeExposure, describeStop, exposureRows, tickLabel, ticksOf } from './course-words.ts';
import type { CurvePoint } from './metric-curve.ts';

/** A metric that a safeguard or a gate of the plan watches, with its curve. */
export interface Watched {
  /** The metric and its threshold. */
  readonly name: string;
  readonly curve: readonly CurvePoint[];
  readonly threshold: number;
}

interface Props {
  /** The stretches of the course in order and without gaps; not empty. */
  readonly course: readonly ExposedStretch[];
  /** Undefined when no metric is watched. */
  readonly metric: Watched | undefined;
  /** Whether the metric is still loading. */
  readonly isLoading: boolean;
}

/**
 * Charts of the exposure and of a metric on the same time axis. Screen readers get the same facts from the text beside
 * them.
 */
export function CourseChart({ course, metric, isLoading }: Props) {
  const common = commonProps(course);
  return (
    <div aria-hidden>
      <Hint>Exposure, % of users</Hint>
      <AreaChart
        {...common}
        h={130}
        data={exposureRows(course)}
        series={[{ name: 'Exposure', color: 'blue.6' }]}
        curveType="stepAfter"
        withDots={false}
        withGradient={false}
        fillOpacity={0.3}
        yAxisProps={{ ...common.yAxisProps, domain: [0, 100], ticks: [0, 50, 100] }}
        valueFormatter={(value) => `${value} %`}
        tooltipProps={{
          content: ({ label }) => <Pointed course={course} at={Number(label)} />,
        }}
        areaChartProps={{ margin }}
      />
      {metric !== undefined && (
        <>
          <Hint mt="xs" style={{ overflowWrap: 'anywhere' }}>
            {metric.name}
          </Hint>
          {metric.curve.some(({ value }) => value !== null) ? (
            <MetricCurve course={course} metric={metric} />
          ) : (
            <Text size="sm">{isLoading ? 'Loading…' : 'Not reported in this time.'}</Text>
          )}
        </>
      )}
    </div>
  );
}

function MetricCurve({ course, metric }: { readonly course: Props['course']; readonly metric: Watched }) {
  const { curve, threshold } = metric;
  const highest = Math.max(...curve.map(({ value }) => value ?? 0));
  // Keeps the label inside the chart: below a threshold line in the upper half, above one in the lower half.
  const labelPosition = threshold > highest / 2 ? ('insideTopLeft' as const) : ('insideBottomLeft' as const);
  return (
    <LineChart
      {...commonProps(course)}
      h={150}
      data={curve.map(({ at, value }) => ({ at, Value: value }))}
      series={[{ name: 'Value', color: 'teal.6' }]}
      curveType="linear"
      connectNulls={false}
      withDots={curve.filter(({ value }) => value !== null).length < 10}
      dotProps={{ r: 2 }}
      valueFormatter={shortNumber}
      referenceLines={[{ y: threshold, color: 'red.6', label: 'Threshold', labelPosition, ifOverflow: 'extendDomain' }]}
      tooltipProps={{
        content: ({ label, payload }) => (
          <Pointed course={course} at={Number(label)} value={payload[0]?.value ?? null} />
        ),
      }}
      lineChartProps={{ margin }}
      lineProps={{ isAnimationActive: false }}
    />
  );
}

/** Leaves room for half of the last label of the time axis. */
const margin = { top: 8, right: 20 };

/** Returns the properties that give both charts the same time axis and the same shaded stretches. */
function commonProps(course: readonly ExposedStretch[]) {
  const [from, to] = [course[0]?.from ?? 0, course.at(-1)?.to ?? 0];
  return {
    dataKey: 'at',
    accessibilityLayer: false,
    xAxisProps: {
      type: 'number' as const,
      domain: [from, to],
      ticks: ticksOf(from, to),
      tickFormatter: (at: number) => tickLabel(at, from, to),
      allowDataOverflow: true,
      minTickGap: 12,
    },
    yAxisProps: { width: 56 },
    referenceAreas: course.flatMap(({ course: kind, from: x1, to: x2 }) =>
      kind === 'running' ? [] : [{ x1, x2, color: 'orange.5', strokeOpacity: 0 }],
    ),
  };
}

interface PointedProps {
  readonly course: readonly ExposedStretch[];
  readonly at: number;
  /** The value of the metric: a number, or null without data. */
  readonly value?: unknown;
}

/** The tooltip: the exposure of the plan at a time, why the plan did not go on, and the value of the metric. */
function Pointed({ course, at, value }: PointedProps) {
  // While the pointer is not over the chart, there is no time to describe.
  const stretch = Number.isFinite(at) ? stretchAt(course, at) : undefined;
  if (stretch === undefined) return null;
  const stop = describeStop(stretch);
  return (
    <Paper withBorder shadow="md" p="xs" maw={220} style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      <Hint>{formatDateMinute(at)}</Hint>
      <Text size="sm">{describeExposure(stretch)}</Text>
      {value !== undefined && (
        <Text size="sm">Metric: {typeof value === 'number' ? shortNumber(value) : 'no data'}</Text>
      )}
      {stop !== undefined && <Text size="sm">{stop}</Text>}
    </Paper>
  );
}
