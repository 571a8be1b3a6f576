import { Switch, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TypeSelect } from './type-select.tsx';

/** What a flag is besides its name. */
export interface FlagValues extends Record<string, unknown> {
  readonly type: string;
  readonly description: string;
  readonly impressionData: boolean;
}

/** The fields of a flag that are given when it is made and can be changed later. */
export function FlagFields<V extends FlagValues>({ form }: { readonly form: UseFormReturnType<V> }) {
  return (
    <>
      <TypeSelect {...form.getInputProps('type')} value={form.values.type} />
      <Textarea
        label="Description"
        description="What it switches, and when it can go."
        autosize
        minRows={3}
        {...form.getInputProps('description')}
      />
      <Switch
        label="Impression data"
        description="SDKs tell the application of every time it asks for the flag, for its analytics."
        {...form.getInputProps('impressionData', { type: 'checkbox' })}
      />
    </>
  );
}
