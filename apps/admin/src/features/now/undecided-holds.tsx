import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FlagLink } from '../../ui/flag-link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { RunLink } from '../actions/runs/run-link.tsx';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import { effectOf } from './hold-words.ts';
import type { Now, Undecided } from './now-queries.ts';

interface Props {
  readonly now: Pick<Now, 'undecided' | 'automation' | 'maintenance'>;
}

/** The holds that wait for a person since automation was halted. */
export function UndecidedHolds({ now: { undecided, automation, maintenance } }: Props) {
  const [deciding, setDeciding] = useState<{ readonly run: Undecided; readonly decision: Decision }>();
  if (undecided === null || undecided.length === 0) return null;
  return (
    <SectionCard
      title="Waits for you"
      description="These alerts fired while automation was halted. Actions hold the flags only if a person says so."
    >
      <Stack gap="md">
        {undecided.map((run) => (
          <UndecidedHold
            key={run.runId}
            run={run}
            isHalted={automation.frozen || maintenance}
            onDecide={(decision) => setDeciding({ run, decision })}
          />
        ))}
      </Stack>
      {deciding !== undefined && <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </SectionCard>
  );
}

interface RowProps {
  readonly run: Undecided;
  readonly isHalted: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function UndecidedHold({ run, isHalted, onDecide }: RowProps) {
  const { runId, project, name, holds, title, since, decideBy } = run;
  const alert = title ?? name;
  return (
    <Group justify="space-between" gap="sm">
      <Stack gap={4} style={{ minWidth: 0 }}>
        {holds.map((hold) => (
          <Group key={`${hold.environment} ${hold.featureName}`} gap="xs">
            <Badge variant="light" color="orange" autoContrast tt="none">
              Would hold {effectOf(hold)}
            </Badge>
            <FlagLink projectId={project} featureName={hold.featureName} />
            <Text size="sm">in {hold.environment}</Text>
          </Group>
        ))}
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          Because {alert} fires since <RelativeTime at={since} /> (<RunLink id={runId}>run {runId}</RunLink> of {name}).
          Dropped <RelativeTime at={decideBy} />, or when the alert ends.
        </Text>
      </Stack>
      <Permitted needs="OVERRIDE_AUTOMATION" place={{ project }}>
        <Group gap="xs">
          {!isHalted && (
            <Button size="xs" onClick={() => onDecide('hold-now')} aria-label={`Hold now: ${alert}`}>
              Hold now
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => onDecide('drop')} aria-label={`Drop: ${alert}`}>
            Drop
          </Button>
        </Group>
      </Permitted>
    </Group>
  );
}
