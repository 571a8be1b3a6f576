import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Dialog } from '../../ui/over-page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReport } from '../../ui/report.ts';
import { ReviewModal } from '../change-requests/review-modal.tsx';
import { useFlagChange } from '../change-requests/use-change.ts';
import type { Flag, FlagEnvironment } from './flag-queries.ts';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project' | 'archived'>;
  readonly state: FlagEnvironment;
  readonly size?: 'sm' | 'md' | 'lg';
}

interface Wanted {
  readonly enabled: boolean;
  readonly shouldActivateDisabledStrategies?: boolean;
}

/**
 * Switches a flag in an environment. What was asked for is shown at once, and taken back when it is refused. Where changes
 * are reviewed, and where all strategies are disabled, it asks first.
 */
export function FlagSwitch({ flag, state, size = 'sm' }: Props) {
  const place = { projectId: flag.project, environment: state.name };
  const [asking, setAsking] = useState<'review' | 'strategies'>();
  const { checked, pending, reviewed, findWhere, flip } = useSwitch(flag.name, state, place);
  const label = `${flag.name} in ${state.name}`;
  const report = useReport();
  const wanted = async (enabled: boolean) => {
    if (enabled && state.hasStrategies && !state.hasEnabledStrategies) setAsking('strategies');
    else if ((await findWhere()) !== undefined) setAsking('review');
    else await flip({ enabled });
  };
  const control = (
    <Switch
      size={size}
      checked={checked}
      disabled={flag.archived}
      onChange={({ currentTarget }) => void wanted(currentTarget.checked).catch(report)}
      aria-label={label}
    />
  );
  return (
    <>
      {reviewed ? (
        control
      ) : (
        <Permitted needs="UPDATE_FEATURE_ENVIRONMENT" place={{ project: flag.project, environment: state.name }}>
          {control}
        </Permitted>
      )}
      {/* There are a hundred of these in a table, so what is seldom asked is made when it is. */}
      {asking === 'review' && (
        <ReviewModal
          place={place}
          label={state.enabled ? 'Switch off' : 'Switch on'}
          saving={pending}
          onClose={() => setAsking(undefined)}
          onSave={(directly) => void flip({ enabled: !state.enabled }, directly).then(() => setAsking(undefined))}
        >
          Switching {flag.name} {state.enabled ? 'off' : 'on'}
        </ReviewModal>
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

/** What the switch shows, and what moves it; a notice offers to take back what was done. */
function useSwitch(name: string, state: FlagEnvironment, place: { projectId: string; environment: string }) {
  const change = useFlagChange(place);
  const report = useReport();
  const { reviewed, findWhere } = change;
  const flip = async (payload: Wanted, directly = false, undoing = false): Promise<void> => {
    try {
      const made = await change.mutateAsync({ change: { action: 'updateEnabled', feature: name, payload }, directly });
      if (made && !undoing)
        tell(name, place.environment, payload.enabled, () => void flip({ enabled: !payload.enabled }, directly, true));
    } catch (error) {
      report(error);
    }
  };
  const wanted = change.variables?.change;
  const atOnce = change.isPending && (!reviewed || change.variables?.directly === true);
  const checked = atOnce && wanted?.action === 'updateEnabled' ? wanted.payload.enabled : state.enabled;
  return { checked, pending: change.isPending, reviewed, findWhere, flip };
}

function tell(name: string, environment: string, enabled: boolean, undo: () => void): void {
  const id = `switched-${name}-${environment}`;
  notifications.hide(id);
  notifications.show({
    id,
    // Long enough to notice a mistake.
    autoClose: 8000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          {name} is {enabled ? 'on' : 'off'} in {environment}.
        </Text>
        <Button
          size="compact-sm"
          variant="subtle"
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
          A flag that is on needs a strategy in use. {name} has only disabled ones in {environment}.
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
