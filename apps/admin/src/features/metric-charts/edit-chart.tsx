import { Select, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { metricsQuery } from '../../entities/safeguards/safeguard-queries.ts';
import { modeWords } from '../../entities/safeguards/safeguard-words.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { type Chart, changedByCharts, type FlagRef } from './chart-queries.ts';
import { labelOfFlag, rangeWords } from './chart-words.ts';

const charts = '/api/admin/projects/:projectId/features/:featureName/impact-metrics/config';

interface Props {
  readonly flag: FlagRef;
  /** The chart to change; undefined for a new one. */
  readonly chart: Chart | undefined;
  readonly onClose: () => void;
}

interface Values extends Record<string, unknown> {
  readonly metricName: string;
  readonly aggregationMode: Chart['aggregationMode'];
  readonly timeRange: Chart['timeRange'];
  readonly environment: string | null;
  readonly groupBy: string | null;
  readonly title: string;
  readonly fromZero: boolean;
}

type Form = UseFormReturnType<Values>;

/** Adds or changes a chart of a flag. */
export function EditChart({ flag, chart, onClose }: Props) {
  const form = useForm<Values>({
    initialValues: valuesOf(chart),
    validate: { metricName: (name) => (name === '' ? 'Choose a metric.' : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const params = { projectId: flag.projectId, featureName: flag.featureName };
      const edited = bodyOf(values, chart);
      if (chart === undefined) return api(`POST ${charts}`, { params, body: edited });
      const { configs } = await api(`GET ${charts}`, { params });
      const now = configs.find(({ id }) => id === chart.id) ?? chart;
      const [loaded, current] = [bodyOf(form.getInitialValues(), chart), bodyOf(valuesOf(now), now)];
      const body = { ...current, ...editedFields({ loaded, edited, current }) };
      return api(`POST ${charts}`, { params, body });
    },
    changes: changedByCharts,
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={chart === undefined ? 'Add a chart' : 'Edit the chart'}
      save="Save chart"
      saving={saving}
      onClose={onClose}
    >
      <MetricChoice form={form} flag={flag} source={chart?.source ?? 'internal'} />
      <Select
        label="Time"
        data={Object.entries(rangeWords).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('timeRange')}
      />
      <TextInput
        label="Title"
        placeholder="The name of the metric"
        autoComplete="off"
        {...form.getInputProps('title')}
      />
      <Switch label="Value axis begins at 0" {...form.getInputProps('fromZero', { type: 'checkbox' })} />
    </FormDialog>
  );
}

interface ChoiceProps {
  readonly form: Form;
  readonly flag: FlagRef;
  readonly source: Chart['source'];
}

/** Chooses a metric, how it is read, and the lines and the environment that are drawn. */
function MetricChoice({ form, flag, source }: ChoiceProps) {
  const { data: metrics = [], isPending } = useQuery(metricsQuery(flag.projectId, source));
  // The label with which SDKs mark the values of a metric with and without the flag.
  const flagLabel = labelOfFlag(flag.featureName);
  const { metricName, aggregationMode, environment, groupBy } = form.values;
  const chosen = metrics.find((metric) => metric.metricName === metricName);
  const labels = chosen?.labels ?? {};
  const withCurrent = (current: string | null, known: readonly string[]) => [
    ...new Set([...(current === null || current === '' ? [] : [current]), ...known]),
  ];
  return (
    <>
      <Select
        label="Metric"
        description={!isPending && metrics.length === 0 ? 'No SDK has reported a metric yet.' : undefined}
        searchable
        data={withCurrent(
          metricName,
          metrics.map((metric) => metric.metricName),
        )}
        value={metricName === '' ? null : metricName}
        error={form.errors['metricName']}
        onChange={(name) => {
          const next = metrics.find((metric) => metric.metricName === name);
          form.setValues({
            metricName: name ?? '',
            aggregationMode: next?.aggregationModes[0] ?? aggregationMode,
            // If the metric has the label of the flag, the chart compares it with and without the flag.
            groupBy: next !== undefined && flagLabel in next.labels ? flagLabel : null,
          });
        }}
      />
      <Select
        label="Read as"
        data={withCurrent(aggregationMode, chosen?.aggregationModes ?? []).map((value) => ({
          value,
          label: modeWords[value as Chart['aggregationMode']],
        }))}
        allowDeselect={false}
        {...form.getInputProps('aggregationMode')}
      />
      <Select
        label="A line for each value of"
        placeholder="One line for all"
        description={groupBy === flagLabel ? 'With and without the flag, as the SDK labelled the metric' : undefined}
        clearable
        data={withCurrent(groupBy, Object.keys(labels))}
        {...form.getInputProps('groupBy')}
      />
      <Select
        label="Environment"
        placeholder="All environments"
        clearable
        data={withCurrent(environment, labels['environment'] ?? [])}
        {...form.getInputProps('environment')}
      />
    </>
  );
}

function valuesOf(chart: Chart | undefined): Values {
  const environments = chart?.labelSelectors['environment'] ?? [];
  return {
    metricName: chart?.metricName ?? '',
    aggregationMode: chart?.aggregationMode ?? 'count',
    timeRange: chart?.timeRange ?? 'hour',
    environment: environments[0] ?? null,
    groupBy: chart?.groupBy ?? null,
    title: chart?.title ?? '',
    fromZero: chart?.yAxisMin !== 'auto',
  };
}

function bodyOf(values: Values, chart: Chart | undefined) {
  const { environment, fromZero, ...drawn } = values;
  const { environment: before = [], ...others } = chart?.labelSelectors ?? {};
  // The form shows one environment. A chart of several environments keeps all of them unless the user chose another
  // one.
  const environments = environment === before[0] ? before : [environment].filter((name) => name !== null);
  return {
    ...(chart === undefined ? {} : { id: chart.id }),
    ...drawn,
    labelSelectors: environments.length === 0 ? others : { ...others, environment: environments },
    yAxisMin: fromZero ? ('zero' as const) : ('auto' as const),
    source: chart?.source ?? ('internal' as const),
  };
}
