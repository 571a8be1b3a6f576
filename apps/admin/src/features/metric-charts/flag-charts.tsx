import { Anchor, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';
import { ChartCard } from './chart-card.tsx';
import { type Chart, changedByCharts, chartsQuery, type FlagRef } from './chart-queries.ts';
import { EditChart } from './edit-chart.tsx';

/** The charts of a flag: what its application reports, with and without the flag. */
export function FlagCharts({ flag }: { readonly flag: FlagRef }) {
  const charts = useQuery(chartsQuery(flag));
  const [edited, setEdited] = useState<Chart | 'new'>();
  const [deleting, setDeleting] = useState<Chart>();
  return (
    <Stack component="section" aria-label="Impact metrics">
      <Group justify="space-between">
        <SectionTitle>Impact metrics</SectionTitle>
        <Permitted needs="UPDATE_FEATURE" place={{ project: flag.projectId }}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconChartLine size={14} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            Add chart
          </Button>
        </Permitted>
      </Group>
      {charts.error !== null && <Failure error={charts.error} onRetry={() => void charts.refetch()} />}
      {charts.data?.length === 0 && (
        <Muted>
          No charts yet. A chart shows a number that your application reports through its SDK, such as requests or
          errors, with and without the flag.{' '}
          <Anchor href="docs/guides/sdks.html#impact-metrics" target="_blank" size="sm" underline="always">
            How SDKs report metrics
          </Anchor>
        </Muted>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {charts.data?.map((chart) => (
          <ChartCard
            key={chart.id}
            flag={flag}
            chart={chart}
            onEdit={() => setEdited(chart)}
            onDelete={() => setDeleting(chart)}
          />
        ))}
      </SimpleGrid>
      {edited !== undefined && (
        <EditChart flag={flag} chart={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {deleting !== undefined && (
        <Confirm
          title="Delete the chart?"
          action="Delete chart"
          run={() =>
            api('DELETE /api/admin/projects/:projectId/features/:featureName/impact-metrics/config/:id', {
              params: { projectId: flag.projectId, featureName: flag.featureName, id: deleting.id },
            })
          }
          changes={changedByCharts}
          onClose={() => setDeleting(undefined)}
        >
          The metric and its values stay.
        </Confirm>
      )}
    </Stack>
  );
}
