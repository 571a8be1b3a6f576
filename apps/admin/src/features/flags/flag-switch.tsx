import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ReviewModal } from '../../entities/change-requests/review-modal.tsx';
import { useFlagChange } from '../../entities/change-requests/use-reviewed-change.ts';
import { type Flag, type FlagEnvironment, useFlagsChanged } from '../../entities/flags/flag-queries.ts';
import { type Hold, heldAs } from '../../entities/holds/flag-hold.ts';
import { useMay } from '../../lib/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { OverrideDialog } from '../now/index.ts';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project' | 'archived'>;
  readonly state: FlagEnvironment;
  readonly size?: 'sm' | 'md' | 'lg';
  /** The reason for the next switch. */
  readonly reason?: string | undefined;
  readonly onSwitched?: (() => void) | undefined;
}

interface SwitchPayload {
  readonly enabled: boolean;
  readonly shouldActivateDisabledStrategies?: boolean;
}

/**
 * Switches a flag in an environment. The switch shows the new state at once, and the old state again on an error. A
 * dialog asks first where review is required or all strategies are disabled.
 */
export function FlagSwitch({ flag, state, size = 'sm', reason, onSwitched }: Props) {
  const place = { projectId: flag.project, environment: state.name };
  const [asking, setAsking] = useState<'strategies' | 'override' | { readonly review: boolean }>();
  const changed = useFlagsChanged();
  const mayOverride = useMay()('OVERRIDE_AUTOMATION', { project: flag.project, environment: state.name });
  const { checked, pending, reviewed, findWhere, flip } = useSwitch(flag.name, state, place, {
    reason,
    onSwitched,
    onMade: (enabled) => {
      if (state.lease && mayOverride && isHeldOtherwise(state.lease, enabled)) setAsking('override');
    },
  });
  const label = `${flag.name} in ${state.name}`;
  const report = useReportError();
  const request = async (enabled: boolean) => {
    if (enabled && state.hasStrategies && !state.hasEnabledStrategies) setAsking('strategies');
    else if ((await findWhere()) !== undefined) setAsking({ review: enabled });
    else await flip({ enabled });
  };
  return (
    <>
      {/* Where changes are reviewed, anyone may request them. */}
      <Permitted
        needs={reviewed ? undefined : 'UPDATE_FEATURE_ENVIRONMENT'}
        place={{ project: flag.project, environment: state.name }}
        stays
      >
        <Switch
          size={size}
          checked={checked}
          disabled={flag.archived}
          onChange={({ currentTarget }) => void request(currentTarget.checked).catch(report)}
          aria-label={label}
        />
      </Permitted>
      {/* A table has a hundred switches, so dialogs are mounted on demand. */}
      {/* The question keeps its state, because another user may switch the flag meanwhile. */}
      {typeof asking === 'object' && (
        <ReviewModal
          place={place}
          label={asking.review ? 'Switch on' : 'Switch off'}
          saving={pending}
          onClose={() => setAsking(undefined)}
          onSave={(directly) => void flip({ enabled: asking.review }, directly).then(() => setAsking(undefined))}
        >
          Switching {flag.name} {asking.review ? 'on' : 'off'}
        </ReviewModal>
      )}
      {asking === 'override' && state.lease && (
        <OverrideDialog
          project={flag.project}
          featureName={flag.name}
          environment={state.name}
          intro={`${flag.name} is configured ${state.enabled ? 'on' : 'off'} now, and is still ${heldAs(state.lease)} by ${state.lease.heldBy.name}.`}
          onPlaced={changed}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'strategies' && (
        <StrategiesModal
          name={flag.name}
          environment={state.name}
          onClose={() => setAsking(undefined)}
          onChosen={(shouldActivateDisabledStrategies) => {
            setAsking(undefined);
            void flip({ enabled: true, shouldActivateDisabledStrategies });
          }}
        />
      )}
    </>
  );
}

/** Returns the state of the switch and a function that flips it. A notification offers to undo. */
function useSwitch(
  name: string,
  state: FlagEnvironment,
  place: { projectId: string; environment: string },
  { reason, onSwitched, onMade }: Pick<Props, 'reason' | 'onSwitched'> & { onMade: (enabled: boolean) => void },
) {
  const change = useFlagChange(place);
  const report = useReportError();
  const { reviewed, findWhere } = change;
  const flip = async (payload: SwitchPayload, directly = false, undoing = false): Promise<void> => {
    try {
      const made = await change.mutateAsync({
        change: { action: 'updateEnabled', feature: name, payload },
        directly,
        reason: undoing ? undefined : reason,
      });
      onSwitched?.();
      if (made && !undoing) {
        onMade(payload.enabled);
        showSwitched(
          name,
          place.environment,
          `${state.lease ? 'configured ' : ''}${payload.enabled ? 'on' : 'off'}`,
          () => void flip({ enabled: !payload.enabled }, directly, true),
        );
      }
    } catch (error) {
      report(error);
    }
  };
  const pendingChange = change.variables?.change;
  const atOnce = change.isPending && (!reviewed || change.variables?.directly === true);
  const checked = atOnce && pendingChange?.action === 'updateEnabled' ? pendingChange.payload.enabled : state.enabled;
  return { checked, pending: change.isPending, reviewed, findWhere, flip };
}

/** Returns whether automation holds a flag in another state than `enabled`, to which a person has just switched it. */
function isHeldOtherwise({ effect, heldBy }: Hold, enabled: boolean): boolean {
  return heldBy.kind !== 'person' && (effect === 'rollout' || (effect === 'on') !== enabled);
}

function showSwitched(name: string, environment: string, now: string, undo: () => void): void {
  const id = `switched-${name}-${environment}`;
  notifications.hide(id);
  notifications.show({
    id,
    // Long enough for a user to notice a mistake and to undo it.
    autoClose: 8000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {name} is {now} in {environment}.
        </Text>
        <Button
          size="compact-sm"
          variant="subtle"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

interface StrategiesProps {
  readonly name: string;
  readonly environment: string;
  readonly onClose: () => void;
  readonly onChosen: (activate: boolean) => void;
}

function StrategiesModal({ name, environment, onClose, onChosen }: StrategiesProps) {
  return (
    <Dialog onClose={onClose} title="All strategies are disabled">
      <Stack>
        <Text size="sm">
          A flag that is on needs an enabled strategy. {name} has only disabled strategies in {environment}.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onChosen(false)}>
            Add the default strategy
          </Button>
          <Button onClick={() => onChosen(true)}>Enable all strategies</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
