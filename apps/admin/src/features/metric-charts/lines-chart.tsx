import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { shortNumber } from '../../entities/safeguards/safeguard-words.ts';
import { formatDateMinute, formatTime } from '../../ui/dates.ts';
import type { Chart, Lines } from './chart-queries.ts';
import { rowsOf } from './chart-words.ts';
import { colorOf } from './line-colors.ts';

interface Props {
  readonly chart: Chart;
  readonly lines: Lines;
  readonly names: readonly string[];
}

/** Draws the lines of a chart. Screen readers get the newest values from the text beside the chart. */
export function LinesChart({ chart, lines, names }: Props) {
  const format = chart.timeRange === 'hour' ? formatTime : formatDateMinute;
  return (
    <div aria-hidden>
      <LineChart
        h={200}
        data={rowsOf(lines).map(({ at = 0, ...values }) => ({ at: format(at * 1000), ...values }))}
        dataKey="at"
        series={names.map((label, index) => ({
          name: `line${index}`,
          label,
          color: `${colorOf(index)}.6`,
        }))}
        curveType="linear"
        connectNulls
        withDots={lines.every(({ data }) => data.length < 3)}
        valueFormatter={shortNumber}
        yAxisProps={{ domain: [chart.yAxisMin === 'zero' ? 0 : 'auto', 'auto'] }}
        xAxisProps={{ minTickGap: 32 }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
