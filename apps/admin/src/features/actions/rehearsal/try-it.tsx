import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { byField, byPath } from '../../../lib/problems.ts';
import type { EndpointSignal } from '../../signals/signal-queries.ts';
import type { ActionSetDraft } from '../action-draft.ts';
import type { ActionSetBody } from '../action-queries.ts';
import type { ActionSetForm } from '../use-action-set-form.ts';
import { BacktestPanel } from './backtest-panel.tsx';
import { RehearsePanel } from './rehearse-panel.tsx';
import type { Try } from './try.ts';

interface Props {
  readonly projectId: string;
  readonly form: ActionSetForm;
  readonly bodyOf: (draft: ActionSetDraft) => ActionSetBody;
  /** What the source has received last. */
  readonly signals: readonly EndpointSignal[];
}

/** Tries what is typed in the form, which need not be saved: on a payload, or on what has come before. */
export function TryIt({ projectId, form, bodyOf, signals }: Props) {
  const [way, setWay] = useState('rehearse');
  const tryOut: Try = async (call) => {
    if (form.validate().hasErrors) throw new Error('Something is still missing above.');
    try {
      return await call(bodyOf(form.getValues()));
    } catch (error) {
      const told = aboutTheForm(error);
      form.setErrors({ ...byPath(told).paths, ...byField(told, Object.keys(form.values)).fields });
      throw told;
    }
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        value={way}
        onChange={setWay}
        data={[
          { value: 'rehearse', label: 'On a payload' },
          { value: 'backtest', label: 'On the past' },
        ]}
        aria-label="How it is tried"
        style={{ alignSelf: 'flex-start' }}
      />
      {way === 'rehearse' ? (
        <RehearsePanel projectId={projectId} forEach={form.values.forEach.trim()} signals={signals} tryOut={tryOut} />
      ) : (
        <BacktestPanel projectId={projectId} forEach={form.values.forEach.trim()} tryOut={tryOut} />
      )}
    </Stack>
  );
}

/** What is tried is sent as a part of more; the form knows its fields by the names that they have in it. */
function aboutTheForm(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = error.details.map((one) => ({ ...one, path: one.path?.replace(/^set\./, '') }));
  return new ApiError(error.status, { name: error.kind, message: error.message, details });
}
