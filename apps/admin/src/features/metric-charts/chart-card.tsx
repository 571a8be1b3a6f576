import { Card, ColorSwatch, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { shortNumber } from '../../entities/safeguards/safeguard-words.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { Muted, PartTitle } from '../../ui/text.tsx';
import { type Chart, type FlagRef, type Lines, linesQuery } from './chart-queries.ts';
import { describeChart, nameOfLine } from './chart-words.ts';
import { colorOf } from './line-colors.ts';

const LinesChart = lazy(async () => ({ default: (await import('./lines-chart.tsx')).LinesChart }));

interface Props {
  readonly flag: FlagRef;
  readonly chart: Chart;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** A chart with the newest value of each line. */
export function ChartCard({ flag, chart, onEdit, onDelete }: Props) {
  const { data: lines, error } = useQuery(linesQuery(flag.projectId, chart));
  const title = chart.title === '' ? chart.displayName : chart.title;
  const needed = { needs: 'UPDATE_FEATURE', place: { project: flag.projectId } };
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
            <PartTitle>{title}</PartTitle>
            <Muted>{describeChart(chart)}</Muted>
          </Stack>
          <RowMenu of={title} actions={[editAction(onEdit, needed), deleteAction(onDelete, needed)]} />
        </Group>
        {error !== null && <Muted>{errorMessage(error)}</Muted>}
        {error === null && lines === undefined && <Skeleton height={200} />}
        {lines !== undefined && <Drawn flag={flag} chart={chart} lines={lines} />}
      </Stack>
    </Card>
  );
}

function Drawn({ flag, chart, lines: unordered }: Pick<Props, 'flag' | 'chart'> & { readonly lines: Lines }) {
  const nameOf = (line: Lines[number]) => nameOfLine(line, chart, flag.featureName);
  // Sorted by name, so that a line has the same color after each load.
  const lines = unordered.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const names = lines.map(nameOf);
  if (lines.every(({ data }) => data.length === 0))
    return (
      <Muted>
        {chart.groupBy === null ? 'No values in this time.' : `No values with the label ${chart.groupBy} in this time.`}
      </Muted>
    );
  return (
    <>
      <Suspense fallback={<Skeleton height={200} />}>
        <LinesChart chart={chart} lines={lines} names={names} />
      </Suspense>
      <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Newest values">
        {lines.map(({ data }, index) => (
          <NewestValue key={names[index]} name={names[index] ?? ''} index={index} value={data.at(-1)?.[1] ?? null} />
        ))}
      </Group>
    </>
  );
}

interface NewestProps {
  readonly name: string;
  readonly index: number;
  readonly value: number | null;
}

function NewestValue({ name, index, value }: NewestProps) {
  return (
    <Group gap={6} component="li" wrap="nowrap">
      <ColorSwatch size={10} color={`var(--mantine-color-${colorOf(index)}-6)`} withShadow={false} aria-hidden />
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}: {shortNumber(value)}
      </Text>
    </Group>
  );
}
