import { Button, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/problems.ts';
import { Refusal } from '../../../ui/form-drawer.tsx';
import type { EndpointSignal } from '../../signals/signal-queries.ts';
import { signalChoices } from '../signal-choices.ts';
import { Rehearsed } from './rehearsed.tsx';
import type { Try } from './try.ts';

interface Props {
  readonly projectId: string;
  readonly forEach: string;
  readonly signals: readonly EndpointSignal[];
  readonly tryOut: Try;
}

const own = 'own';

/** Tries a draft on a signal that is stored, or on a payload that a person writes. */
export function RehearsePanel({ projectId, forEach, signals, tryOut }: Props) {
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const on = chosen ?? (signals[0] === undefined ? own : String(signals[0].id));
  const sample = text ?? JSON.stringify(signals[0]?.payload ?? {}, null, 2);
  const rehearsing = useMutation({
    mutationFn: (body: { signalId: number } | { payload: unknown }) =>
      tryOut((set) =>
        api('POST /api/admin/projects/:projectId/actions/rehearse', { params: { projectId }, body: { set, ...body } }),
      ),
  });
  const run = () => {
    setWrong(undefined);
    if (on !== own) return rehearsing.mutate({ signalId: Number(on) });
    try {
      rehearsing.mutate({ payload: JSON.parse(sample) as unknown });
    } catch (error) {
      setWrong(`It is no JSON: ${messageOf(error)}`);
    }
  };
  return (
    <Stack gap="sm">
      <Select
        label="Payload"
        data={[...signalChoices(signals), { value: own, label: 'A payload of your own' }]}
        value={on}
        onChange={(value) => setChosen(value ?? own)}
        allowDeselect={false}
      />
      {on === own && (
        <Textarea
          label="Payload of your own"
          autosize
          minRows={4}
          maxRows={16}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={sample}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={wrong}
        />
      )}
      <Text size="sm" c="dimmed">
        Everything is done and undone again, so that what would be refused is told too. Guards that look at earlier runs
        are not asked.
      </Text>
      <Button variant="default" onClick={run} loading={rehearsing.isPending} style={{ alignSelf: 'flex-start' }}>
        Rehearse
      </Button>
      <Refusal>{rehearsing.error === null ? undefined : messageOf(rehearsing.error)}</Refusal>
      {rehearsing.data !== undefined && (
        <Rehearsed projectId={projectId} rehearsal={rehearsing.data} forEach={forEach === '' ? null : forEach} />
      )}
    </Stack>
  );
}
