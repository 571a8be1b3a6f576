import { Box, Group, NumberInput, Select, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { instanceQuery } from '../../lib/instance.ts';
import { Muted } from '../../ui/text.tsx';
import { keptQuery, type MetricInput, type Mode, noMetric, selectorsOf } from './metric-input.ts';
import { lastHourQuery, metricsQuery } from './safeguard-queries.ts';
import { describeLabels, modeWords, shortNumber } from './safeguard-words.ts';

/** In pixels. */
const chartHeight = 140;

const MetricChart = lazy(async () => ({ default: (await import('./metric-chart.tsx')).MetricChart }));

interface Props {
  readonly values: MetricInput;
  readonly problems: Readonly<Record<string, ReactNode>>;
  readonly project: string;
  readonly environment: string;
  readonly onChange: (values: Partial<MetricInput>) => void;
}

/** Edits a metric and its threshold, and shows the metric in the last hour. */
export function MetricFields({ values, problems, project, environment, onChange }: Props) {
  const { metric, mode, dividedBy, minutes, operator, threshold } = values;
  const kept = keptQuery(values);
  return (
    <>
      <SourceChoice source={values.source} onChange={onChange} />
      <MetricChoice values={values} problems={problems} project={project} onChange={onChange} />
      {kept !== undefined && values.source === 'internal' && (
        <Muted style={{ overflowWrap: 'anywhere' }}>{describeLabels(kept.labelSelectors)}</Muted>
      )}
      <Group align="flex-start" grow>
        <NumberInput
          label="Minutes"
          {...(kept !== undefined && kept.minutes === undefined ? { placeholder: `1 ${kept.timeRange}` } : {})}
          min={1}
          max={1440}
          value={minutes}
          error={problems['minutes']}
          onChange={(next) => onChange({ minutes: next })}
        />
        <Select
          label="When it is"
          data={[
            { value: '>', label: 'above' },
            { value: '<', label: 'below' },
          ]}
          allowDeselect={false}
          value={operator}
          onChange={(next) => onChange({ operator: next === '<' ? '<' : '>' })}
        />
        <NumberInput
          label="Threshold"
          decimalScale={6}
          value={threshold}
          error={problems['threshold']}
          onChange={(next) => onChange({ threshold: next })}
        />
      </Group>
      {metric !== '' && (
        <LastHour
          metric={{
            metricName: metric,
            aggregationMode: mode,
            labelSelectors: selectorsOf(values, values.labels, environment),
            source: values.source,
            project,
          }}
          place={values.source === 'internal' ? ` in ${environment}` : ''}
          threshold={dividedBy === '' && mode !== 'count' && threshold !== '' ? Number(threshold) : undefined}
        />
      )}
    </>
  );
}

/** Chooses whether SDKs or the Prometheus server have the metric. Renders nothing while no Prometheus server is set. */
function SourceChoice({ source, onChange }: Pick<MetricInput, 'source'> & Pick<Props, 'onChange'>) {
  const { data: isSet = false } = useQuery({
    ...instanceQuery,
    select: ({ prometheusAPIAvailable }) => prometheusAPIAvailable,
  });
  if (!isSet) return null;
  return (
    <Select
      label="Source"
      data={[
        { value: 'internal', label: 'Reported by SDKs' },
        { value: 'external', label: 'Prometheus server' },
      ]}
      allowDeselect={false}
      value={source}
      onChange={(next) => {
        const { metric, mode, dividedBy } = noMetric;
        onChange({ source: next === 'external' ? 'external' : 'internal', metric, mode, dividedBy });
      }}
    />
  );
}

function MetricChoice({ values, problems, project, onChange }: Omit<Props, 'environment'>) {
  const { source, metric, mode, dividedBy } = values;
  const { data: metrics = [], error } = useQuery(metricsQuery(project, source));
  const isExternal = source === 'external';
  const chosen = metrics.find(({ metricName }) => metricName === metric);
  const modes: readonly Mode[] = chosen?.aggregationModes ?? [mode];
  // The metrics that the chosen metric can be divided by. On the Prometheus server this may be the same metric with
  // other labels.
  const same = metrics.filter(({ type, metricName }) => type === chosen?.type && (isExternal || metricName !== metric));
  // A chosen metric stays among the choices even if it is no longer reported.
  const namesWith = (name: string, known: typeof metrics) => [
    ...new Set([...(name === '' ? [] : [name]), ...known.map(({ metricName }) => metricName)]),
  ];
  return (
    <>
      <Select
        label="Metric"
        searchable
        data={namesWith(metric, metrics)}
        value={metric === '' ? null : metric}
        error={problems['metric'] ?? error?.message}
        limit={200}
        onChange={(next) => {
          const [first = 'count'] = metrics.find(({ metricName }) => metricName === next)?.aggregationModes ?? [];
          onChange({ metric: next ?? '', dividedBy: '', mode: first });
        }}
      />
      <Select
        label="Read as"
        data={modes.map((value) => ({ value, label: modeWords[value] }))}
        allowDeselect={false}
        value={mode}
        onChange={(next) => next !== null && onChange({ mode: next as Mode })}
      />
      {isExternal && (
        <LabelsInput
          label="Labels"
          value={values.labels}
          problem={problems['labels']}
          onChange={(labels) => onChange({ labels })}
        />
      )}
      <Select
        label="Divided by"
        description="For a share, such as failed requests by all requests"
        placeholder="Nothing"
        clearable
        searchable
        data={namesWith(dividedBy, same)}
        value={dividedBy === '' ? null : dividedBy}
        limit={200}
        onChange={(next) => onChange({ dividedBy: next ?? '', dividedByLabels: [] })}
      />
      {isExternal && dividedBy !== '' && (
        <LabelsInput
          label="Labels of the metric below the line"
          value={values.dividedByLabels}
          problem={problems['dividedByLabels']}
          onChange={(dividedByLabels) => onChange({ dividedByLabels })}
        />
      )}
    </>
  );
}

interface LabelsInputProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly problem: ReactNode;
  readonly onChange: (value: readonly string[]) => void;
}

function LabelsInput({ label, value, problem, onChange }: LabelsInputProps) {
  return (
    <TagsInput
      label={label}
      description="Such as job=shop. Of several values of a label, any counts."
      value={[...value]}
      error={problem}
      acceptValueOnBlur
      onChange={onChange}
    />
  );
}

interface LastHourProps {
  readonly metric: Parameters<typeof lastHourQuery>[0];
  /** The end of the sentence that the metric was not reported: " in production". */
  readonly place: string;
  readonly threshold: number | undefined;
}

/**
 * Shows the metric in the last hour, so that the user can choose a threshold. Its place is kept before the values are
 * there: what follows does not move under the pointer.
 */
function LastHour({ metric, place, threshold }: LastHourProps) {
  const { data: points, error } = useQuery(lastHourQuery(metric));
  const newest = points?.at(-1);
  return (
    <>
      <Muted style={{ overflowWrap: 'anywhere' }}>
        {metric.metricName} in the last hour, minute by minute.
        {newest !== undefined && ` Newest: ${shortNumber(newest[1])}`}
      </Muted>
      <Box h={chartHeight}>
        {points !== undefined && points.length > 0 && (
          <Suspense fallback={null}>
            <MetricChart height={chartHeight} points={points} threshold={threshold} />
          </Suspense>
        )}
        {(error !== null || points?.length === 0) && (
          <Text size="sm">{error?.message ?? `Not reported${place} in the last hour.`}</Text>
        )}
      </Box>
    </>
  );
}
