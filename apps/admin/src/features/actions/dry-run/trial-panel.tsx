import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ActionSetBody } from '../../../entities/actions/action-queries.ts';
import type { EndpointSignal } from '../../../entities/signals/signal-queries.ts';
import { ApiError } from '../../../lib/api.ts';
import { errorsByField, errorsByPath } from '../../../lib/error-messages.ts';
import type { ActionSetDraft } from '../action-draft.ts';
import type { ActionSetForm } from '../use-action-set-form.ts';
import { BacktestPanel } from './backtest-panel.tsx';
import { DryRunPanel } from './dry-run-panel.tsx';
import type { RunTrial } from './run-trial.ts';

interface Props {
  readonly projectId: string;
  readonly form: ActionSetForm;
  readonly bodyOf: (draft: ActionSetDraft) => ActionSetBody;
  /** The latest signals of the source. */
  readonly signals: readonly EndpointSignal[];
}

/** Tests the draft in the form without saving it: with a payload (dry run) or with past signals (backtest). */
export function TrialPanel({ projectId, form, bodyOf, signals }: Props) {
  const [kind, setKind] = useState('dry-run');
  const runTrial: RunTrial = async (call) => {
    if (form.validate().hasErrors) throw new Error('Complete the form above first.');
    try {
      return await call(bodyOf(form.getValues()));
    } catch (error) {
      const formError = withFormPaths(error);
      form.setErrors({
        ...errorsByPath(formError).paths,
        ...errorsByField(formError, Object.keys(form.values)).fields,
      });
      throw formError;
    }
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        value={kind}
        onChange={setKind}
        data={[
          { value: 'dry-run', label: 'Dry run' },
          { value: 'backtest', label: 'Backtest' },
        ]}
        aria-label="Kind of test"
        style={{ alignSelf: 'flex-start' }}
      />
      {kind === 'dry-run' ? (
        <DryRunPanel
          projectId={projectId}
          forEach={form.values.forEach.trim()}
          isSilence={form.values.trigger === 'silence'}
          signals={signals}
          runTrial={runTrial}
        />
      ) : (
        <BacktestPanel projectId={projectId} forEach={form.values.forEach.trim()} runTrial={runTrial} />
      )}
    </Stack>
  );
}

/** Removes the prefix `set.` from error paths: the request body has the set in its field `set`, the form does not. */
function withFormPaths(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = error.details.map((detail) => ({ ...detail, path: detail.path?.replace(/^set\./, '') }));
  return new ApiError(error.status, { name: error.kind, message: error.message, details });
}
