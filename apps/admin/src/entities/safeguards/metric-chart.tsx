import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { formatTime } from '../../ui/dates.ts';
import { shortNumber } from './safeguard-words.ts';

interface Props {
  /** In pixels. */
  readonly height: number;
  /** The points of the chart: the start of a minute in Unix seconds, and the value. */
  readonly points: readonly (readonly [number, number])[];
  readonly threshold: number | undefined;
}

/**
 * A chart of a metric in the last hour, with the threshold. Screen readers get the newest value from the text beside
 * the chart.
 */
export function MetricChart({ height, points, threshold }: Props) {
  return (
    <div aria-hidden>
      <LineChart
        h={height}
        data={points.map(([at, value]) => ({ at: formatTime(at * 1000), Value: value }))}
        dataKey="at"
        series={[{ name: 'Value', color: 'blue.6' }]}
        curveType="linear"
        withDots={points.length < 3}
        valueFormatter={shortNumber}
        {...(threshold === undefined ? {} : { referenceLines: [{ y: threshold, color: 'red.6', label: 'Threshold' }] })}
        xAxisProps={{ minTickGap: 32 }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
