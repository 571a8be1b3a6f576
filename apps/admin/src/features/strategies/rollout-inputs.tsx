import { Grid, Select, Stack, TextInput } from '@mantine/core';
import type { ContextField } from '../constraints/context-queries.ts';
import { ShareInput } from './parameter-inputs.tsx';

interface Props {
  readonly values: Readonly<Record<string, string>>;
  readonly fields: readonly ContextField[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** What a gradual rollout takes: how many, told apart by what, and in which group. */
export function RolloutInputs({ values, fields, problems, onChange }: Props) {
  return (
    <Stack gap="md">
      <ShareInput
        label="Rollout"
        description="The share that gets the flag. Who has it keeps it while the share grows."
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
            label="groupId"
            description="The same users fall alike for all flags of one group."
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

/** By what those who get the flag, or a variant, are told apart. */
export function StickinessSelect({ value, fields, error, onChange }: StickinessProps) {
  const sticky = fields.filter(({ stickiness }) => stickiness).map(({ name }) => name);
  const offered = [
    { value: 'default', label: 'Default (userId, sessionId or random)' },
    ...sticky.map((name) => ({ value: name, label: name })),
    { value: 'random', label: 'Random: anew for every request' },
  ];
  const known = offered.some((one) => one.value === value);
  return (
    <Select
      label="Stickiness"
      description="Who has the same value here is treated the same."
      data={known ? offered : [...offered, { value, label: value }]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? 'default')}
      error={error}
      allowDeselect={false}
    />
  );
}
