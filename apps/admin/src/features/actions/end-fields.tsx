import { Fieldset, Stack } from '@mantine/core';
import { HoldTimes } from './hold-times.tsx';
import { ReleaseEditor } from './release-editor.tsx';
import type { ActionSetForm } from './use-action-set-form.ts';

interface Props {
  readonly form: ActionSetForm;
  /** The paths that filters may use. */
  readonly paths: readonly string[];
}

/** Asks when held flags return to their configured state. */
export function EndFields({ form, paths }: Props) {
  return (
    <Fieldset legend="When it ends">
      <Stack gap="sm">
        <ReleaseEditor form={form} paths={paths} />
        <HoldTimes form={form} />
      </Stack>
    </Fieldset>
  );
}
