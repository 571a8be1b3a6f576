import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { attentionSubject } from '@yardarm/contract/attention';
import { useState } from 'react';
import { Acknowledge } from '../../entities/acknowledgements/acknowledge.tsx';
import { effectOf } from '../../entities/holds/hold-words.ts';
import type { Now, Undecided } from '../../entities/holds/now-queries.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { formatStart } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { DisabledBecause, Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';

const permission = 'OVERRIDE_AUTOMATION';

interface Props {
  readonly now: Pick<Now, 'undecided' | 'automation' | 'maintenance'>;
}

/** Lists the holds that wait for the decision of a person, each with the reason. */
export function UndecidedHolds({ now }: Props) {
  const [deciding, setDeciding] = useState<{ readonly run: Undecided; readonly decision: Decision }>();
  const undecided = now.undecided ?? [];
  const halted = haltedText(now);
  return (
    <>
      {undecided.length > 0 && (
        <SectionCard
          title="Waits for you"
          description={`These alerts fire, and their flags are not held. ${halted ?? 'When an alert is reported again, its action holds the flags by itself.'}`}
        >
          <Stack gap="md">
            {undecided.map((run) => (
              <UndecidedHold
                key={run.runId}
                run={run}
                halted={halted}
                onDecide={(decision) => setDeciding({ run, decision })}
              />
            ))}
          </Stack>
        </SectionCard>
      )}
      {/* Outside of the section, so that the dialog stays when the last run leaves the list. */}
      {deciding !== undefined && (
        <DecisionDialog
          {...deciding}
          isDecided={undecided.every(({ runId }) => runId !== deciding.run.runId)}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </>
  );
}

/** Returns why actions place no holds now, and what to do; undefined while automation runs. */
function haltedText({ automation, maintenance }: Props['now']): string | undefined {
  if (!automation.frozen && !maintenance) return undefined;
  const halted = automation.frozen ? 'Automation is frozen' : 'The instance is in maintenance mode';
  return `${halted}: until that has ended, hold a flag on its own page.`;
}

/** Returns why a hold waits, without the words that the section says already. */
function whyOf(reason: string | null): string {
  const why = reason?.replace(/^Waits for a person: /, '');
  return why ? `${why} ` : '';
}

interface RowProps {
  readonly run: Undecided;
  /** Why actions place no holds now; undefined while automation runs. */
  readonly halted: string | undefined;
  readonly onDecide: (decision: Decision) => void;
}

function UndecidedHold({ run, halted, onDecide }: RowProps) {
  const { runId, project, name, holds, title, since, decideBy, reason } = run;
  const alert = title ?? name;
  return (
    <Group justify="space-between" gap="sm">
      <Stack gap={4} style={{ minWidth: 0 }}>
        {holds.map((hold) => (
          <Group key={`${hold.environment} ${hold.featureName}`} gap="xs">
            <Badge color="orange" autoContrast>
              Would hold {effectOf(hold)}
            </Badge>
            <FlagLink projectId={project} featureName={hold.featureName} />
            <Text size="sm">in {hold.environment}</Text>
          </Group>
        ))}
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {whyOf(reason)}The alert “{alert}” fires since <RelativeTime at={since} format={formatStart} /> (
          <RunLink id={runId}>run {runId}</RunLink> of {name}
          ). Dropped <RelativeTime at={decideBy} ahead />, or when the alert ends.
        </Text>
        <Acknowledge subjects={[attentionSubject.run(runId)]} place={{ project }} of={alert} />
      </Stack>
      <Group gap="xs">
        <Permitted needs={permission} place={{ project }}>
          <DisabledBecause reason={halted}>
            <Button size="xs" onClick={() => onDecide('hold-now')} aria-label={`Hold now: ${alert}`}>
              Hold now
            </Button>
          </DisabledBecause>
        </Permitted>
        <Permitted needs={permission} place={{ project }}>
          <Button size="xs" variant="default" onClick={() => onDecide('drop')} aria-label={`Drop: ${alert}`}>
            Drop
          </Button>
        </Permitted>
      </Group>
    </Group>
  );
}
