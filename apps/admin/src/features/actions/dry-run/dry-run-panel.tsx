import { Button, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { errorMessage } from '../../../lib/error-messages.ts';
import { FormError } from '../../../ui/form-drawer.tsx';
import type { EndpointSignal } from '../../signals/signal-queries.ts';
import { signalChoices } from '../signal-choices.ts';
import { DryRunResult } from './dry-run-result.tsx';
import type { RunTrial } from './run-trial.ts';

interface Props {
  readonly projectId: string;
  readonly forEach: string;
  readonly signals: readonly EndpointSignal[];
  readonly runTrial: RunTrial;
}

const own = 'own';

/** Runs a draft, without changing anything, with a stored signal or with a payload that the reader writes. */
export function DryRunPanel({ projectId, forEach, signals, runTrial }: Props) {
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const on = chosen ?? (signals[0] === undefined ? own : String(signals[0].id));
  const sample = text ?? JSON.stringify(signals[0]?.payload ?? {}, null, 2);
  const dryRun = useMutation({
    mutationFn: (body: { signalId: number } | { payload: unknown }) =>
      runTrial((set) =>
        api('POST /api/admin/projects/:projectId/actions/rehearse', { params: { projectId }, body: { set, ...body } }),
      ),
  });
  const run = () => {
    setWrong(undefined);
    if (on !== own) return dryRun.mutate({ signalId: Number(on) });
    try {
      dryRun.mutate({ payload: JSON.parse(sample) as unknown });
    } catch (error) {
      setWrong(`Invalid JSON: ${errorMessage(error)}`);
    }
  };
  return (
    <Stack gap="sm">
      <Select
        label="Payload"
        data={[...signalChoices(signals), { value: own, label: 'Custom payload' }]}
        value={on}
        onChange={(value) => setChosen(value ?? own)}
        allowDeselect={false}
      />
      {on === own && (
        <Textarea
          label="Custom payload"
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
        The actions are run and rolled back, so errors are found too. Guards that depend on earlier runs are not
        checked.
      </Text>
      <Button variant="default" onClick={run} loading={dryRun.isPending} style={{ alignSelf: 'flex-start' }}>
        Dry run
      </Button>
      <FormError>{dryRun.error === null ? undefined : errorMessage(dryRun.error)}</FormError>
      {dryRun.data !== undefined && (
        <DryRunResult projectId={projectId} dryRun={dryRun.data} forEach={forEach === '' ? null : forEach} />
      )}
    </Stack>
  );
}
