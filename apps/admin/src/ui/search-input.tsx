import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

interface Props {
  /**
   * The query in the address of the page. While the input does not have the focus, it follows changes from elsewhere,
   * such as a button that clears the query.
   */
  readonly value: string | undefined;
  readonly label: string;
  readonly placeholder?: string;
  /** Called 200 ms after the last key; `undefined` for an empty text. */
  readonly onChange: (query: string | undefined) => void;
}

/** A search field that filters a list while the user types. */
export function SearchInput({ value, label, placeholder = label, onChange }: Props) {
  const notify = useDebouncedCallback((text: string) => onChange(text === '' ? undefined : text), 200);
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
      onChange={({ currentTarget }) => notify(currentTarget.value)}
      w="100%"
      maw={420}
      // Fills the space beside other fields, or wraps to a line of its own when less than 240 px are left.
      flex={1}
      miw={240}
    />
  );
}
