import { Button, Select, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { parseExactJson } from '@yardarm/contract/long-number';
import { useState } from 'react';
import type { EndpointSignal } from '../../../entities/signals/signal-queries.ts';
import { api } from '../../../lib/api.ts';
import { errorMessage, formErrorMessage } from '../../../lib/error-messages.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { Muted } from '../../../ui/text.tsx';
import { signalChoices } from '../signal-choices.ts';
import { DryRunResult } from './dry-run-result.tsx';
import type { RunTrial } from './run-trial.ts';

interface Props {
  readonly projectId: string;
  readonly forEach: string;
  /**
   * Whether a silence triggers the draft. Such a draft can also run for a silence that begins now, without a signal.
   */
  readonly isSilence: boolean;
  readonly signals: readonly EndpointSignal[];
  readonly runTrial: RunTrial;
}

const own = 'own';
const beginsNow = 'now';

const customPayload = { value: own, label: 'Custom payload' };
const silenceNow = { value: beginsNow, label: 'A silence that begins now' };

/** Runs a draft, without changing anything, with a stored signal or with a payload that the user writes. */
export function DryRunPanel({ projectId, forEach, isSilence, signals, runTrial }: Props) {
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const choices = [...signalChoices(signals), isSilence ? silenceNow : customPayload];
  const on = choices.some(({ value }) => value === chosen) ? chosen : choices[0]?.value;
  const sample = text ?? JSON.stringify(signals[0]?.payload ?? {}, null, 2);
  const dryRun = useMutation({
    mutationFn: (body: { signalId?: number; payload?: unknown }) =>
      runTrial((set) =>
        api('POST /api/admin/projects/:projectId/actions/rehearse', { params: { projectId }, body: { set, ...body } }),
      ),
  });
  const run = () => {
    setWrong(undefined);
    if (on === beginsNow) return dryRun.mutate({});
    if (on !== own) return dryRun.mutate({ signalId: Number(on) });
    try {
      dryRun.mutate({ payload: parseExactJson(sample) });
    } catch (error) {
      setWrong(`Invalid JSON: ${errorMessage(error)}`);
    }
  };
  return (
    <Stack gap="sm">
      <Select
        label="Payload"
        data={choices}
        value={on ?? null}
        onChange={(value) => setChosen(value ?? undefined)}
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
      <Muted>
        The actions are run and rolled back, so errors are found too. Guards that depend on earlier runs are not
        checked.
      </Muted>
      <Button variant="default" onClick={run} loading={dryRun.isPending} style={{ alignSelf: 'flex-start' }}>
        Dry run
      </Button>
      <FormError>{dryRun.error === null ? undefined : formErrorMessage(dryRun.error)}</FormError>
      {dryRun.data !== undefined && (
        <DryRunResult projectId={projectId} dryRun={dryRun.data} forEach={forEach === '' ? null : forEach} />
      )}
    </Stack>
  );
}
