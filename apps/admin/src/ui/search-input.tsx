import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

interface Props {
  /** What is looked for, as the address has it: what else changes that, such as a button that clears it, is followed. */
  readonly value: string | undefined;
  readonly label: string;
  readonly placeholder?: string;
  /** Told a moment after the last key; `undefined` for nothing. */
  readonly onChange: (query: string | undefined) => void;
}

/** Narrows a list while one types. */
export function SearchInput({ value, label, placeholder = label, onChange }: Props) {
  const tell = useDebouncedCallback((text: string) => onChange(text === '' ? undefined : text), 200);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value ?? '';
  }, [value]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      defaultValue={value ?? ''}
      onChange={({ currentTarget }) => tell(currentTarget.value)}
      w="100%"
      maw={420}
      // Beside others it is broad enough to be read, or has a line of its own; above others it is as high as it is.
      flex={1}
      miw={240}
    />
  );
}
