import { Switch, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TypeSelect } from './type-select.tsx';

/** The editable fields of a flag. */
export interface FlagValues extends Record<string, unknown> {
  readonly type: string;
  readonly description: string;
  readonly impressionData: boolean;
}

/** The fields of a flag in the forms that create and edit it. */
export function FlagFields<V extends FlagValues>({ form }: { readonly form: UseFormReturnType<V> }) {
  return (
    <>
      <TypeSelect {...form.getInputProps('type')} value={form.values.type} />
      <Textarea
        label="Description"
        description="What the flag controls, and when it can be removed."
        autosize
        minRows={3}
        {...form.getInputProps('description')}
      />
      <Switch
        label="Impression data"
        description="SDKs emit an event for each evaluation, for use in analytics."
        {...form.getInputProps('impressionData', { type: 'checkbox' })}
      />
    </>
  );
}
