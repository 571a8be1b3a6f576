import {
  Button,
  Card,
  Grid,
  Group,
  JsonInput,
  NumberInput,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ContextField } from '../../entities/constraints/context-queries.ts';
import { FormError } from '../../ui/form-error.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { Muted } from '../../ui/text.tsx';
import { newVariant, type VariantDraft } from './draft.ts';
import { OverridesEditor } from './overrides-editor.tsx';
import { VariantShares } from './variant-shares.tsx';
import { distributeWeights } from './weights.ts';

interface Props {
  readonly variants: readonly VariantDraft[];
  /** The errors, by path: `variants.0.name`. */
  readonly problems: Readonly<Record<string, string>>;
  /** The context fields for overrides; absent where variants cannot have overrides. */
  readonly fields?: readonly ContextField[];
  readonly onChange: (variants: readonly VariantDraft[]) => void;
}

/**
 * Edits variants. Their weights always add up to 100 %: variable variants share the weight that fixed variants leave.
 */
export function VariantsEditor({ variants, problems, fields, onChange }: Props) {
  const shared = distributeWeights(variants);
  return (
    <Stack gap="sm">
      {shared.length > 0 && <VariantShares variants={shared} />}
      <FormError>{problems.variants}</FormError>
      {shared.map((variant, index) => (
        <VariantRow
          key={variant.key}
          variant={variant}
          place={index + 1}
          problemAt={(path) => problems[`variants.${index}.${path}`]}
          {...(fields === undefined ? {} : { fields })}
          onChange={(next) => onChange(variants.map((present) => (present.key === variant.key ? next : present)))}
          onRemove={() => onChange(variants.filter(({ key }) => key !== variant.key))}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...variants, newVariant()])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add variant
      </Button>
    </Stack>
  );
}

interface RowProps {
  readonly variant: VariantDraft;
  readonly place: number;
  readonly problemAt: (path: string) => string | undefined;
  readonly fields?: readonly ContextField[];
  readonly onChange: (variant: VariantDraft) => void;
  readonly onRemove: () => void;
}

function VariantRow({ variant, place, problemAt, fields, onChange, onRemove }: RowProps) {
  const fixed = variant.weightType === 'fix';
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Variant ${place}`}>
      <Group justify="space-between" mb={4}>
        <Muted fw={600}>Variant {place}</Muted>
        <RemoveButton color="red" onClick={onRemove} label={`Remove variant ${place}`} />
      </Group>
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            label="Variant name"
            description="The name that the code receives."
            value={variant.name}
            onChange={({ currentTarget }) => onChange({ ...variant, name: currentTarget.value })}
            error={problemAt('name')}
            autoComplete="off"
            required
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <NumberInput
            label="Weight"
            description={fixed ? 'The share of users who get the flag.' : 'Its share of the rest.'}
            value={variant.weight / 10}
            onChange={(weight) => onChange({ ...variant, weight: Math.round((Number(weight) || 0) * 10) })}
            readOnly={!fixed}
            variant={fixed ? 'default' : 'filled'}
            suffix=" %"
            min={0}
            max={100}
            decimalScale={1}
            hideControls={!fixed}
            error={problemAt('weight')}
          />
          <Switch
            mt="xs"
            size="xs"
            label="Fixed weight"
            checked={fixed}
            onChange={({ currentTarget }) =>
              onChange({ ...variant, weightType: currentTarget.checked ? 'fix' : 'variable' })
            }
          />
        </Grid.Col>
        <Payload variant={variant} problem={problemAt('payload.value')} onChange={onChange} />
      </Grid>
      {fields !== undefined && (
        <OverridesEditor
          overrides={variant.overrides}
          fields={fields}
          of={`variant ${place}`}
          problemAt={(path) => problemAt(`overrides.${path}`)}
          onChange={(overrides) => onChange({ ...variant, overrides })}
        />
      )}
    </Card>
  );
}

const types = [
  { value: 'string', label: 'String' },
  { value: 'json', label: 'JSON' },
  { value: 'csv', label: 'CSV' },
  { value: 'number', label: 'Number' },
] as const;

interface PayloadProps {
  readonly variant: VariantDraft;
  readonly problem: string | undefined;
  readonly onChange: (variant: VariantDraft) => void;
}

function Payload({ variant, problem, onChange }: PayloadProps) {
  const { payloadType, payload } = variant;
  const input = {
    label: 'Payload',
    value: payload,
    error: problem,
    disabled: payloadType === '',
    description: 'Sent to the code with the variant.',
  };
  const set = (next: string) => onChange({ ...variant, payload: next });
  return (
    <>
      <Grid.Col span={{ base: 12, xs: 4 }}>
        <Select
          label="Payload type"
          description="The format of the payload."
          placeholder="No payload"
          data={types}
          value={payloadType === '' ? null : payloadType}
          onChange={(type) =>
            onChange({ ...variant, payloadType: types.find(({ value }) => value === type)?.value ?? '' })
          }
          clearable
          clearButtonProps={{ 'aria-label': 'No payload' }}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 8 }}>
        {payloadType === 'json' ? (
          <JsonInput {...input} onChange={set} formatOnBlur autosize minRows={3} maxRows={16} />
        ) : payloadType === 'csv' ? (
          <Textarea {...input} onChange={({ currentTarget }) => set(currentTarget.value)} autosize minRows={2} />
        ) : (
          <TextInput
            {...input}
            inputMode={payloadType === 'number' ? 'decimal' : 'text'}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
        )}
      </Grid.Col>
    </>
  );
}
