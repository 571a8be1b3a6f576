import { Anchor, Button, Select, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import type { Place } from '../../entities/release-plans/plan-queries.ts';
import { MetricFields } from '../../entities/safeguards/metric-fields.tsx';
import { noMetric, problemsOf, toMetric } from '../../entities/safeguards/metric-input.ts';
import { metricsQuery } from '../../entities/safeguards/safeguard-queries.ts';
import { WaysToStop } from '../../entities/safeguards/ways-to-stop.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { PlanChangeDialog } from '../release-plans/index.ts';

const inEnvironment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

interface Props {
  readonly place: Place;
  /** The release plan that the safeguard can pause; undefined when the flag has none. */
  readonly planId: string | undefined;
}

/** A button that adds a safeguard to a flag in an environment. */
export function AddSafeguard(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { projectId: project, environment: name } = props.place;
  const { reviewed } = useReview(props.place);
  const needs = props.planId === undefined ? 'UPDATE_FEATURE_ENVIRONMENT' : 'UPDATE_FEATURE_STRATEGY';
  return (
    <>
      <Permitted needs={reviewed ? undefined : needs} place={{ project, environment: name }}>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconShieldCheck size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Add safeguard
        </Button>
      </Permitted>
      {isOpen && <SafeguardDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** The effect of a safeguard: it halts the plan, holds its flag in one of three ways, or switches the flag off. */
type Effect = 'pause' | 'previous' | 'first' | 'off' | 'flag';

function SafeguardDialog({ place, planId, onClose }: Props & { readonly onClose: () => void }) {
  const { data: metrics } = useQuery(metricsQuery(place.projectId));
  const [metric, setMetric] = useState(noMetric);
  const [isChecked, setIsChecked] = useState(false);
  const [chosen, setEffect] = useState<Effect>();
  // Computed on each render, because the plan may be loaded after the dialog has opened.
  const effect: Effect = chosen ?? (planId === undefined ? 'flag' : 'pause');
  const problems = problemsOf(metric);
  const { condition: triggerCondition, ...query } = toMetric(metric, place.environment);
  const ofPlan = effect === 'flag' ? undefined : planId;
  const isHold = ofPlan !== undefined && effect !== 'pause';
  const body = { ...query, triggerCondition, ...(isHold ? { holdAt: effect } : {}) };
  const scope = { project: place.projectId, environment: place.environment };
  const permission = ofPlan === undefined ? 'UPDATE_FEATURE_ENVIRONMENT' : 'UPDATE_FEATURE_STRATEGY';
  return (
    <PlanChangeDialog
      place={place}
      title={`Add a safeguard in ${place.environment}`}
      label="Add safeguard"
      permitted={useMay()(permission, scope)}
      change={() => {
        setIsChecked(true);
        const payload = { ...body, ...(ofPlan === undefined ? {} : { planId: ofPlan }) };
        return problems === null ? { action: 'changeSafeguard', feature: place.featureName, payload } : undefined;
      }}
      make={(reason) =>
        ofPlan === undefined
          ? api(`PUT ${inEnvironment}/safeguards`, { params: place, body, reason })
          : api(`PUT ${inEnvironment}/release-plans/:planId/safeguards`, {
              params: { ...place, planId: ofPlan },
              body,
              reason,
            })
      }
      onClose={onClose}
    >
      <Text size="sm">
        A safeguard looks at a metric of your application every minute.{' '}
        {ofPlan === undefined
          ? 'Without data it does nothing. '
          : 'The plan starts its next milestone only after a value within the threshold, about two minutes after the one before. '}
        {metrics?.length === 0 && 'No SDK with a token of this project has reported a metric yet. '}
        <Anchor href="docs/guides/sdks.html#impact-metrics" target="_blank" size="sm" underline="always">
          How SDKs report metrics
        </Anchor>
      </Text>
      <WaysToStop />
      <MetricFields
        values={metric}
        problems={isChecked ? (problems ?? {}) : {}}
        project={place.projectId}
        environment={place.environment}
        onChange={(values) => setMetric((before) => ({ ...before, ...values }))}
      />
      {planId === undefined ? (
        <Text size="sm">Then the flag is switched off in {place.environment}.</Text>
      ) : (
        <Select
          label="Then"
          data={[
            { value: 'pause', label: 'Halt the release plan at its milestone' },
            { value: 'previous', label: 'Hold the flag at the milestone before until the metric is back' },
            { value: 'first', label: 'Hold the flag at the first milestone until the metric is back' },
            { value: 'off', label: 'Hold the flag off until the metric is back' },
            { value: 'flag', label: `Switch the flag off in ${place.environment}` },
          ]}
          allowDeselect={false}
          value={effect}
          onChange={(next) => setEffect(next as Effect)}
        />
      )}
    </PlanChangeDialog>
  );
}
