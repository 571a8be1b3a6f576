import { Badge, Group } from '@mantine/core';
import { runStateNames } from '../actions/action-search.ts';
import type { ListedRun } from './run-queries.ts';

/** The names of the states of shadow runs, which change nothing. */
const shadowNames: Readonly<Record<ListedRun['state'], string>> = {
  ...runStateNames,
  success: 'Would have succeeded',
  failed: 'Would have failed',
};

/** The colors of run states. */
export const runColors: Readonly<Record<ListedRun['state'], string>> = {
  started: 'sea',
  waiting: 'yellow',
  success: 'sea',
  failed: 'red.9',
  skipped: 'gray',
};

const triggers = {
  signal: undefined,
  silence: 'Silence',
  replay: 'Replayed',
  'take-back': 'Take-back',
  'override-ended': 'Override ended',
} as const;

type Stated = Pick<ListedRun, 'state' | 'shadow' | 'trigger'>;

/** The state of a run, with badges for silences, replays, take-backs and shadow mode. */
export function RunState({ run: { state, shadow, trigger } }: { readonly run: Stated }) {
  const unusual = [triggers[trigger], shadow ? 'Shadow mode' : undefined].filter((word) => word !== undefined);
  return (
    <Group gap={6}>
      <Badge
        variant={state === 'failed' ? 'filled' : 'light'}
        color={runColors[shadow && state !== 'failed' ? 'skipped' : state]}
        miw="max-content"
      >
        {(shadow ? shadowNames : runStateNames)[state]}
      </Badge>
      {unusual.map((word) => (
        <Badge key={word} variant="outline" color="gray" miw="max-content">
          {word}
        </Badge>
      ))}
    </Group>
  );
}
