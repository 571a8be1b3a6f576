import { Grid, Select, Stack, TextInput } from '@mantine/core';
import type { ContextField } from '../constraints/context-queries.ts';
import { ShareInput } from './parameter-inputs.tsx';

interface Props {
  readonly values: Readonly<Record<string, string>>;
  readonly fields: readonly ContextField[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** Edits the parameters of a gradual rollout: percentage, stickiness and group. */
export function RolloutInputs({ values, fields, problems, onChange }: Props) {
  return (
    <Stack gap="md">
      <ShareInput
        label="Rollout"
        description="The percentage that gets the flag. Users keep it when the percentage grows."
        value={values.rollout ?? '100'}
        error={problems['parameters.rollout']}
        onChange={(value) => onChange('rollout', value)}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <StickinessSelect
            value={values.stickiness ?? 'default'}
            fields={fields}
            error={problems['parameters.stickiness']}
            onChange={(value) => onChange('stickiness', value)}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            label="Group ID"
            description="Flags with the same group ID are rolled out to the same users."
            value={values.groupId ?? ''}
            onChange={({ currentTarget }) => onChange('groupId', currentTarget.value)}
            error={problems['parameters.groupId']}
            autoComplete="off"
          />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

interface StickinessProps {
  readonly value: string;
  readonly fields: readonly ContextField[];
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Selects the context field that keeps a user in the same part of a rollout or variant. */
export function StickinessSelect({ value, fields, error, onChange }: StickinessProps) {
  const named = [
    { value: 'default', label: 'Default (userId, sessionId or random)' },
    { value: 'random', label: 'Random for every request' },
  ];
  // A context field may have one of these names, which keep their meaning for SDKs.
  const sticky = fields.filter(({ name, stickiness }) => stickiness && named.every(({ value }) => value !== name));
  const offered = named.toSpliced(1, 0, ...sticky.map(({ name }) => ({ value: name, label: name })));
  const known = offered.some((option) => option.value === value);
  return (
    <Select
      label="Stickiness"
      description="Users with the same value get the same result."
      data={known ? offered : [...offered, { value, label: value }]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? 'default')}
      error={error}
      allowDeselect={false}
    />
  );
}
