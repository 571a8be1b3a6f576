import { Stack, Table } from '@mantine/core';
import { shortNumber } from '../../../entities/safeguards/safeguard-words.ts';
import { Strong } from '../../../ui/text.tsx';
import type { ExposedStretch } from './course.ts';
import { type AveragedMetric, averagesOf, milestonesIn } from './milestone-averages.ts';

interface Props {
  readonly course: readonly ExposedStretch[];
  readonly metrics: readonly AveragedMetric[];
}

/** A table of the average of each watched metric at each milestone. Renders nothing without metrics. */
export function AveragesTable({ course, metrics }: Props) {
  if (metrics.length === 0 || course.length === 0) return null;
  return (
    <Stack gap={4}>
      <Strong>Averages by milestone</Strong>
      <Table.ScrollContainer minWidth={240}>
        <Table aria-label="Averages by milestone" fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Metric</Table.Th>
              {milestonesIn(course).map((milestone) => (
                <Table.Th key={milestone} scope="col" ta="right">
                  {milestone}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {averagesOf(course, metrics).map(({ name, values }, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two metrics may have the same name, and they never move
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Table.Th>
                {values.map((value, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is a milestone, which never moves
                  <Table.Td key={column} ta="right">
                    {value === null ? 'No data' : shortNumber(value)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
