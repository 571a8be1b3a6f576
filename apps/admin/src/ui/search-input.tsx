import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';

interface Props {
  /** What is looked for, as the address has it when the page opens. */
  readonly value: string | undefined;
  readonly label: string;
  readonly placeholder?: string;
  /** Told a moment after the last key; `undefined` for nothing. */
  readonly onChange: (query: string | undefined) => void;
}

/** Narrows a list while one types. */
export function SearchInput({ value, label, placeholder = label, onChange }: Props) {
  const tell = useDebouncedCallback((text: string) => onChange(text === '' ? undefined : text), 200);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      defaultValue={value ?? ''}
      onChange={({ currentTarget }) => tell(currentTarget.value)}
      w="100%"
      maw={420}
    />
  );
}
