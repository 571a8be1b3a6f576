import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { operators, type SingleKind } from '@yardarm/evaluation/operators';
import { dateProblem } from '@yardarm/evaluation/values';
import type { ContextField } from './context-queries.ts';
import type { ConstraintDraft } from './draft.ts';

interface Props {
  readonly constraint: ConstraintDraft;
  /** The context field of the constraint, if it is declared. */
  readonly field: ContextField | undefined;
  readonly problem: string | undefined;
  readonly onChange: (constraint: ConstraintDraft) => void;
}

/** Edits the values of a constraint, with an input that fits its operator and the legal values of the field. */
export function ConstraintValue({ constraint, field, problem, onChange }: Props) {
  const facts = operators[constraint.operator];
  const legal = (field?.legalValues ?? []).map(({ value, description }) => ({
    value,
    label: description === undefined || description === '' ? value : `${value} (${description})`,
  }));
  const setValue = (value: string) => onChange({ ...constraint, value });
  if (facts.field === 'values')
    return <ValueList constraint={constraint} legal={legal} problem={problem} onChange={onChange} />;
  if (legal.length > 0 && facts.kind !== 'pattern')
    return (
      <Select
        label="Value"
        data={legal}
        value={constraint.value}
        onChange={(value) => setValue(value ?? '')}
        error={problem}
        searchable
        required
      />
    );
  if (facts.kind === 'date') return <Moment value={constraint.value} problem={problem} onChange={setValue} />;
  return (
    <TextInput
      {...typing[facts.kind]}
      value={constraint.value}
      onChange={({ currentTarget }) => setValue(currentTarget.value)}
      error={problem}
      autoComplete="off"
      required
    />
  );
}

const typing: Readonly<Record<Exclude<SingleKind, 'date'>, object>> = {
  number: { label: 'Number', inputMode: 'decimal', placeholder: '18' },
  version: { label: 'Version', placeholder: '2.3.0', description: 'A semantic version such as 1.2.3 or 1.2.3-beta.1.' },
  pattern: {
    label: 'Pattern',
    placeholder: '^[a-z]+@example\\.com$',
    description: 'A regular expression (RE2 syntax). It may match anywhere in the value.',
    styles: { input: { fontFamily: 'var(--yardarm-code)' } },
  },
};

interface ListProps extends Omit<Props, 'field'> {
  readonly legal: readonly { readonly value: string; readonly label: string }[];
}

function ValueList({ constraint, legal, problem, onChange }: ListProps) {
  const values = [...constraint.values];
  const set = (next: string[]) => onChange({ ...constraint, values: next });
  const { kind } = operators[constraint.operator];
  const networks = kind === 'network';
  // Selected values that are no longer legal are listed too, so that the user can remove them.
  const unknown = values.filter((value) => !legal.some((legalValue) => legalValue.value === value));
  if (legal.length > 0 && kind === 'item')
    return (
      <MultiSelect
        label="Values"
        data={[...legal, ...unknown.map((value) => ({ value, label: `${value} (no longer legal)` }))]}
        value={values}
        onChange={set}
        error={problem}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all values' }}
        required
      />
    );
  return (
    <TagsInput
      label={networks ? 'IP addresses and networks' : 'Values'}
      description="Press Enter or comma after each value, or paste a list."
      placeholder={values.length > 0 ? '' : networks ? '192.0.2.0/24' : 'Add a value'}
      value={values}
      onChange={(next) => set([...new Set(next.map((value) => value.trim()).filter((value) => value !== ''))])}
      splitChars={[',', '\n', ';', '\t']}
      acceptValueOnBlur
      error={problem}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all values' }}
      required
    />
  );
}

function Moment({
  value,
  problem,
  onChange,
}: {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const at = new Date(value);
  const known = value !== '' && dateProblem(value) === undefined;
  const stored =
    value === '' || known ? undefined : `${value} has no time zone: SDKs read it differently. Choose again.`;
  return (
    <TextInput
      type="datetime-local"
      label="Date and time"
      description={known ? `In your time zone; ${at.toISOString()} for SDKs.` : 'In your time zone.'}
      value={known ? localText(at) : ''}
      onChange={({ currentTarget }) => {
        const chosen = new Date(currentTarget.value);
        onChange(Number.isNaN(chosen.getTime()) ? '' : chosen.toISOString());
      }}
      error={problem ?? stored}
      required
    />
  );
}

/** Returns a time in the format of `datetime-local` inputs: local time, to the minute. */
function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
