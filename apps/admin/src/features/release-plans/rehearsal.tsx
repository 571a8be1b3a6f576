import { Alert, Button, Group, Select, Stack, Text, Timeline } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Place } from '../../entities/release-plans/plan-queries.ts';
import { api, type Input } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { formatDateMinute } from '../../ui/dates.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Hint, Muted, Strong } from '../../ui/text.tsx';
import styles from './rehearsal.module.css';
import { describeEnd, type Rehearsal, stretchesOf, titleOf } from './rehearsal-words.ts';

const route =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/rehearse';

/** The plan to rehearse: a stored plan, a template, or milestones. */
type Source = Omit<Input<typeof route>['body'], 'hours'>;

const periods = [
  { value: '1', label: 'last hour' },
  { value: '6', label: 'last 6 hours' },
  { value: '24', label: 'last 24 hours' },
  { value: '72', label: 'last 3 days' },
  { value: '168', label: 'last 7 days' },
];

interface Props {
  readonly place: Place;
  /** Returns the plan to rehearse; undefined while the input is not valid. The form then shows the errors. */
  readonly source: () => Source | undefined;
}

/** A button that is replaced by the rehearsal of an unsaved plan. */
export function RehearseHere(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <RehearsalPanel {...props} />;
  return (
    <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => setIsOpen(true)}>
      Rehearse on past signals
    </Button>
  );
}

/** A button that opens the rehearsal of a stored plan in a dialog. */
export function RehearsePlan({ place, planId }: { readonly place: Place; readonly planId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const scope = { project: place.projectId, environment: place.environment };
  return (
    <>
      <Permitted needs="UPDATE_FEATURE_STRATEGY" place={scope}>
        <Button variant="subtle" size="xs" onClick={() => setIsOpen(true)}>
          Rehearse
        </Button>
      </Permitted>
      {isOpen && (
        <Dialog title={`Rehearse the plan in ${place.environment}`} onClose={() => setIsOpen(false)}>
          <RehearsalPanel place={place} source={() => ({ planId })} />
        </Dialog>
      )}
    </>
  );
}

/** Rehearses a release plan: shows what it would have done in the last hours. */
function RehearsalPanel({ place, source }: Props) {
  const [hours, setHours] = useState('24');
  const rehearsing = useMutation({
    mutationFn: (plan: Source) => api(route, { params: place, body: { ...plan, hours: Number(hours) } }),
  });
  const start = () => {
    const plan = source();
    if (plan !== undefined) rehearsing.mutate(plan);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        Shows what the plan would have done, on past signals, metrics and evaluations. Nothing changes. Approvals of a
        person count as given.
      </Text>
      <Group align="flex-end" gap="sm">
        <Select
          label="Rehearse on the"
          data={periods}
          value={hours}
          allowDeselect={false}
          onChange={(value) => setHours(value ?? '24')}
          w={170}
        />
        <Button variant="default" loading={rehearsing.isPending} onClick={start}>
          Rehearse
        </Button>
      </Group>
      <FormError>{rehearsing.error === null ? undefined : errorMessage(rehearsing.error)}</FormError>
      {rehearsing.data !== undefined && <Result rehearsal={rehearsing.data} />}
    </Stack>
  );
}

function Result({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { from, to, steps, truncated, waitsFor } = rehearsal;
  return (
    <Stack gap="sm" role="status" aria-label="Rehearsal">
      <Strong style={{ overflowWrap: 'anywhere' }}>
        {[describeEnd(rehearsal), ...waitsFor.map(({ text }) => `${text}.`)].join(' ')}
      </Strong>
      {!truncated && <Picture rehearsal={rehearsal} />}
      <Group justify="space-between" gap="xs">
        {[from, to].map((time) => (
          <Hint key={time}>{formatDateMinute(time)}</Hint>
        ))}
      </Group>
      {truncated && <Alert color="yellow">Only the first {steps.length} steps are shown.</Alert>}
      <Timeline bulletSize={14} lineWidth={2}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be alike, and they never move
          <Timeline.Item key={index} title={titleOf(step)}>
            <Muted style={{ overflowWrap: 'anywhere' }}>
              {formatDateMinute(step.at)}: {step.text}
              {step.signalId !== null && (
                <>
                  {' '}
                  <TextLink
                    to="/history"
                    search={{ received: step.signalId }}
                    size="sm"
                    underline="always"
                    target="_blank"
                  >
                    Signal {step.signalId}
                  </TextLink>
                </>
              )}
            </Muted>
          </Timeline.Item>
        ))}
      </Timeline>
    </Stack>
  );
}

/**
 * Draws a bar for each stretch. A later milestone has a higher bar. The bar is orange while something stops the plan.
 */
function Picture({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { from, to, totalMilestones } = rehearsal;
  const length = Date.parse(to) - Date.parse(from);
  return (
    <div className={styles['picture']} aria-hidden>
      {stretchesOf(rehearsal).map((stretch) => (
        <div
          key={stretch.from}
          className={`${styles['stretch']} ${styles[stretch.course]}`}
          title={`${stretch.milestone}, from ${formatDateMinute(stretch.from)}`}
          style={{
            width: `${((stretch.to - stretch.from) / length) * 100}%`,
            height: `${((stretch.milestoneOrder + 1) / totalMilestones) * 100}%`,
          }}
        />
      ))}
    </div>
  );
}
