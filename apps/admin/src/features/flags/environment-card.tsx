import { Card, Group, Progress, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OptionalReason } from '../../entities/change-reasons/optional-reason.tsx';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import { type Flag, type FlagEnvironment, useFlagsChanged } from '../../entities/flags/flag-queries.ts';
import { heldAs } from '../../entities/holds/flag-hold.ts';
import { effectOf } from '../../entities/holds/hold-words.ts';
import { overridesQuery } from '../../entities/holds/now-queries.ts';
import { type Plan, planQuery } from '../../entities/release-plans/plan-queries.ts';
import { percentOf } from '../../entities/usage/series.ts';
import { useMay } from '../../lib/me.ts';
import { serverNow } from '../../lib/server-time.ts';
import { formatMinute } from '../../ui/dates.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted, SectionTitle, SmallBadge, Strong } from '../../ui/text.tsx';
import { OverrideNotice, PlaceOverride } from '../now/index.ts';
import { ReleaseGradually, ReleasePlan } from '../release-plans/index.ts';
import { AddSafeguard, Safeguards } from '../safeguards/index.ts';
import { StrategyList } from '../strategies/index.ts';
import { VariantShares } from '../variants/index.ts';
import { FlagSwitch } from './flag-switch.tsx';
import { HoldNotice } from './hold-notice.tsx';
import { PlaceHold } from './place-hold.tsx';

interface Usage {
  readonly yes: number;
  readonly no: number;
}

interface Props {
  readonly flag: Flag;
  readonly state: FlagEnvironment;
  /** The evaluations of the last hour; undefined without any. */
  readonly usage: Usage | undefined;
}

/** The state, strategies and usage of a flag in an environment. */
export function EnvironmentCard({ flag, state, usage }: Props) {
  const { reviewed } = useReview({ projectId: flag.project, environment: state.name });
  const place = { projectId: flag.project, featureName: flag.name, environment: state.name };
  const { data: plan = null } = useQuery(planQuery(place));
  const ofPlan = plan?.milestones.find(({ id }) => id === plan.activeMilestoneId)?.strategies ?? [];
  const strategies = (state.strategies ?? []).filter(({ id }) => !ofPlan.some((strategy) => strategy.id === id));
  const variants = state.variants ?? [];
  const [reason, setReason] = useState<string>();
  const { data: overridden } = useQuery(overridesQuery);
  const override = overridden?.overrides.find(
    ({ featureName, environment }) => featureName === flag.name && environment === state.name,
  );
  const maySwitch = useMay()('UPDATE_FEATURE_ENVIRONMENT', { project: flag.project, environment: state.name });
  return (
    <Card withBorder padding="md" component="section" aria-label={state.name}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <FlagSwitch flag={flag} state={state} size="md" reason={reason} onSwitched={() => setReason(undefined)} />
            <Stack gap={2}>
              <Group gap="xs">
                <SectionTitle>{state.name}</SectionTitle>
                {state.type === 'production' && state.name !== 'production' && <SmallBadge>production</SmallBadge>}
                {reviewed && <SmallBadge variant="outline">Review required</SmallBadge>}
              </Group>
              <Muted>{stateOf(state)}</Muted>
              {!reviewed && !flag.archived && maySwitch && <OptionalReason value={reason} onChange={setReason} />}
              {/* Up here, because a person on call who may not switch must not have to look for it. */}
              {state.enabled && !flag.archived && !maySwitch && (
                <div>
                  <PlaceHold flag={flag} state={state} plan={plan} />
                </div>
              )}
            </Stack>
          </Group>
          <ThisHour usage={usage} state={state} />
        </Group>
        <HoldNotice flag={flag} state={state} />
        {override !== undefined && <OverrideNotice override={override} />}
        {plan !== null && <ReleasePlan plan={plan} place={place} />}
        <Safeguards place={place} />
        {plan !== null && strategies.length > 0 && <Strong>Beside the plan</Strong>}
        {strategies.length > 0 && (
          <StrategyList
            projectId={flag.project}
            featureName={flag.name}
            environment={state.name}
            strategies={strategies}
          />
        )}
        {plan === null && strategies.length === 0 && (
          <Muted>No strategies yet. When switched on, the flag gets the default strategy of the environment.</Muted>
        )}
        {variants.length > 0 && (
          <Stack gap={4}>
            <Strong>Variants</Strong>
            <VariantShares variants={variants} />
          </Stack>
        )}
        {!flag.archived && <AddButtons flag={flag} state={state} reviewed={reviewed} plan={plan} />}
      </Stack>
    </Card>
  );
}

interface AddButtonsProps extends Omit<Props, 'usage'> {
  readonly reviewed: boolean;
  /** The release plan in the environment; null without one. */
  readonly plan: Plan | null;
}

function AddButtons({ flag, state, reviewed, plan }: AddButtonsProps) {
  const place = { project: flag.project, environment: state.name };
  const maySwitch = useMay()('UPDATE_FEATURE_ENVIRONMENT', place);
  // Where changes are reviewed, anyone may request them.
  const needing = (permission: string) => ({ needs: reviewed ? undefined : permission, place });
  const params = { projectId: flag.project, featureName: flag.name };
  const changed = useFlagsChanged();
  return (
    <Group gap="xs">
      <Permitted {...needing('CREATE_FEATURE_STRATEGY')}>
        <ButtonLink
          to="/projects/$projectId/features/$featureName/strategies/create"
          params={params}
          search={{ environmentId: state.name }}
          variant="light"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          Add strategy
        </ButtonLink>
      </Permitted>
      <Permitted {...needing('UPDATE_FEATURE_ENVIRONMENT_VARIANTS')}>
        <ButtonLink
          to="/projects/$projectId/features/$featureName/variants"
          params={params}
          search={{ environmentId: state.name }}
          variant="subtle"
          size="xs"
        >
          {(state.variants ?? []).length > 0 ? 'Edit variants' : 'Environment variants'}
        </ButtonLink>
      </Permitted>
      {plan === null && (
        <ReleaseGradually
          place={{ ...params, environment: state.name }}
          hasStrategies={(state.strategies ?? []).length > 0}
        />
      )}
      <AddSafeguard place={{ ...params, environment: state.name }} planId={plan?.id} />
      {maySwitch && <PlaceHold flag={flag} state={state} plan={plan} />}
      <PlaceOverride project={flag.project} featureName={flag.name} environment={state.name} onPlaced={changed} />
    </Group>
  );
}

/** Returns the state of a flag in words: the configured state, and the hold that overrides it. */
function stateOf({ enabled, lease }: FlagEnvironment): string {
  if (lease !== null) return `Configured ${enabled ? 'on' : 'off'}, ${heldAs(lease)} now`;
  return enabled ? 'On' : 'Off for everyone';
}

const hourMs = 60 * 60 * 1000;

/** Shows the usage of the present hour: evaluations are counted by the hour. */
function ThisHour({ usage, state: { lastSeenAt, lease } }: Pick<Props, 'usage' | 'state'>) {
  const total = (usage?.yes ?? 0) + (usage?.no ?? 0);
  if (usage === undefined || total === 0)
    return (
      <Hint component="div">
        {lastSeenAt === null ? (
          'Not evaluated yet'
        ) : (
          <>
            Last evaluated <RelativeTime at={lastSeenAt} />
          </>
        )}
      </Hint>
    );
  const share = percentOf(usage.yes, total);
  return (
    <Stack gap={4} w={220}>
      <Hint>
        Since {formatMinute(serverNow() - (serverNow() % hourMs))}: on in {share} % of {total.toLocaleString()}{' '}
        evaluations
        {lease !== null && `. Since it is held, SDKs get it ${effectOf(lease)}.`}
      </Hint>
      <Progress value={share} size="sm" aria-hidden />
    </Stack>
  );
}
