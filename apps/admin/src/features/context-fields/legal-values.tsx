import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { Hint } from '../../ui/text.tsx';

export interface LegalValue {
  readonly value: string;
  readonly description?: string | undefined;
}

interface Props {
  readonly values: readonly LegalValue[];
  readonly error: ReactNode;
  readonly onChange: (values: readonly LegalValue[]) => void;
}

/** Edits the legal values of a context field. Without legal values, any value is allowed. */
export function LegalValues({ values, error, onChange }: Props) {
  return (
    <Fieldset legend="Legal values">
      <Stack gap="sm">
        <Hint>Constraints can use only these values. If there are none, any value is allowed.</Hint>
        <Listing
          rows={values}
          rowKey={({ value }) => value}
          spacing={4}
          minWidth={240}
          columns={[
            { breaks: 'anywhere', cell: ({ value, description }) => <NameCell name={value}>{description}</NameCell> },
            {
              width: 40,
              cell: ({ value }) => (
                <RemoveButton
                  onClick={() => onChange(values.filter((legalValue) => legalValue.value !== value))}
                  label={`Remove the legal value ${value}`}
                />
              ),
            },
          ]}
        />
        <NewValue taken={values.map(({ value }) => value)} onAdd={(value) => onChange([...values, value])} />
        {error !== undefined && error !== null && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

function NewValue({
  taken,
  onAdd,
}: {
  readonly taken: readonly string[];
  readonly onAdd: (value: LegalValue) => void;
}) {
  const [value, setValue] = useState('');
  const [description, setDescription] = useState('');
  const first = useRef<HTMLInputElement>(null);
  const there = taken.includes(value.trim());
  const ready = value.trim() !== '' && value.length <= 100 && !there;
  const add = () => {
    if (!ready) return;
    onAdd({ value: value.trim(), ...(description === '' ? {} : { description }) });
    setValue('');
    setDescription('');
  };
  const addAndGoOn = () => {
    add();
    first.current?.focus();
  };
  // Enter adds the value instead of submitting the form.
  const onKeyDown = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Enter') return;
    pressed.preventDefault();
    addAndGoOn();
  };
  // Otherwise a value that was typed, but not added, would be missing after saving.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) add();
  };
  return (
    <Group align="flex-start" gap="xs" onKeyDown={onKeyDown} onBlur={onBlur}>
      <TextInput
        ref={first}
        flex={1}
        miw={120}
        aria-label="Legal value"
        placeholder="Value"
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        error={there ? 'This value exists already.' : value.length > 100 ? 'At most 100 characters.' : undefined}
      />
      <TextInput
        flex={1}
        miw={120}
        aria-label="Description of the value"
        placeholder="Description"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Button variant="default" onClick={addAndGoOn} disabled={!ready}>
        Add value
      </Button>
    </Group>
  );
}
