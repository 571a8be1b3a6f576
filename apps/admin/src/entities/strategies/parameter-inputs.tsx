import { Grid, Group, Input, NumberInput, Slider, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useId } from 'react';
import { listOf } from './describe-strategy.ts';
import type { StrategyType } from './strategy-queries.ts';

type Parameter = StrategyType['parameters'][number];

interface Props {
  readonly parameters: readonly Parameter[];
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** The parameters of a strategy, each with an input for its type. SDKs read every parameter as text. */
export function ParameterInputs({ parameters, values, problems, onChange }: Props) {
  return (
    <Stack gap="md">
      {parameters.map((parameter) => (
        <ParameterInput
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          problem={problems[`parameters.${parameter.name}`]}
          onChange={(value) => onChange(parameter.name, value)}
        />
      ))}
    </Stack>
  );
}

interface OneProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function ParameterInput({ parameter, value, problem, onChange }: OneProps) {
  const { name, type, description, required } = parameter;
  const common = { label: name, description, required, error: problem };
  if (type === 'percentage') return <ShareInput {...common} value={value} onChange={onChange} />;
  if (type === 'boolean')
    return (
      <Switch
        label={name}
        description={description}
        error={problem}
        checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    );
  if (type === 'list')
    return (
      <TagsInput
        {...common}
        placeholder={value === '' ? 'Press Enter or comma after each value, or paste a list' : ''}
        value={listOf(value)}
        onChange={(list) =>
          onChange([...new Set(list.map((item) => item.trim()).filter((item) => item !== ''))].join(','))
        }
        splitChars={[',', '\n', ';', '\t']}
        acceptValueOnBlur
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all values' }}
      />
    );
  return (
    <TextInput
      {...common}
      value={value}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autoComplete="off"
    />
  );
}

interface ShareProps {
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

// Only some marks have a label, because all labels would overlap on a small screen.
const marks = [
  { value: 0, label: '0 %' },
  { value: 25 },
  { value: 50, label: '50 %' },
  { value: 75 },
  { value: 100, label: '100 %' },
];

/** Edits a percentage, by a slider or as a number. */
export function ShareInput({ label, description, required = false, value, error, onChange }: ShareProps) {
  const share = Math.min(100, Math.max(0, Number(value) || 0));
  const id = useId();
  return (
    <Input.Wrapper label={label} description={description} error={error} required={required} id={id}>
      <Grid gap="md" align="center" mt={4}>
        <Grid.Col span="auto">
          <Slider
            value={share}
            onChange={(next) => onChange(String(next))}
            thumbLabel={`${label} (slider)`}
            label={(shown) => `${shown} %`}
            marks={marks}
            mx="md"
            mb="lg"
          />
        </Grid.Col>
        <Grid.Col span="content">
          <Group>
            <NumberInput
              id={id}
              value={value === '' ? '' : share}
              onChange={(next) => onChange(String(next))}
              min={0}
              max={100}
              allowDecimal={false}
              suffix=" %"
              w={100}
              error={error !== undefined}
            />
          </Group>
        </Grid.Col>
      </Grid>
    </Input.Wrapper>
  );
}
