import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { Point } from '../../entities/usage/series.ts';
import { formatDateMinute, formatUtcDate } from '../../ui/dates.ts';

interface Props {
  readonly points: readonly Point[];
  /** Whether a point is a day instead of an hour. */
  readonly daily: boolean;
}

/** A chart of evaluations over time. It is hidden from screen readers: the table beside it has the same data. */
export function UsageChart({ points, daily }: Props) {
  const name = daily ? formatUtcDate : formatDateMinute;
  return (
    <div aria-hidden>
      <BarChart
        h={280}
        type="stacked"
        data={points.map(({ at, yes, no }) => ({ at: name(at), Yes: yes, No: no }))}
        dataKey="at"
        series={[
          { name: 'Yes', color: 'teal.6' },
          { name: 'No', color: 'gray.5' },
        ]}
        valueFormatter={(value) => value.toLocaleString()}
        withLegend
        tickLine="y"
        xAxisProps={{ minTickGap: 24 }}
        yAxisProps={{ allowDecimals: false }}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
