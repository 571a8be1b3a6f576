import { Button, Group, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { FlagLink } from '../../ui/flag-link.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { Incident } from './incident-queries.ts';
import { movedHint, perFlagWords } from './incident-words.ts';

/** The number of flags that are shown at first. */
const few = 10;

interface Props {
  readonly perFlag: Incident['perFlag'];
  readonly project: string;
}

/** Shows what an incident did to each flag: how long it was off, whom that moved, and by how many holds and alerts. */
export function FlagStates({ perFlag, project }: Props) {
  const [all, setAll] = useState(false);
  if (perFlag.length === 0) return null;
  return (
    <SectionCard
      title="Flags"
      description="For how long each flag was off for users, how many of them that moved, and by what."
    >
      {perFlag.slice(0, all ? perFlag.length : few).map((state) => (
        <FlagStateLine key={`${state.featureName} ${state.environment}`} state={state} project={project} />
      ))}
      {!all && perFlag.length > few && (
        <Button variant="default" size="xs" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          Show all {perFlag.length} flags
        </Button>
      )}
    </SectionCard>
  );
}

/** Shows what an incident did to a flag. */
export function FlagStateLine({
  state: { featureName, environment, ...state },
  project,
}: {
  readonly state: Incident['perFlag'][number];
  readonly project: string;
}) {
  return (
    <Group gap="xs">
      <FlagLink projectId={project} featureName={featureName} />
      <Tooltip multiline maw={300} label={movedHint(state)} events={{ hover: true, focus: true, touch: true }}>
        <Text size="sm" tabIndex={0}>
          in {environment}: {perFlagWords(state)}
        </Text>
      </Tooltip>
    </Group>
  );
}
