import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';

interface Props {
  readonly label: string;
  /**
   * The time in ISO 8601; undefined for none. While the input does not have the focus, it follows changes from
   * elsewhere. While it has, a late value would replace the date that is being typed.
   */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Earlier years are those of a year that is being typed: 2, 20, 202. */
const firstYear = 1000;

/** Chooses a date and time in the user's time zone, to the minute. */
export function DateTimeInput({ label, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const text = value === undefined ? '' : localTime(new Date(value));
  useEffect(() => {
    if (input.current !== null && input.current !== document.activeElement) input.current.value = text;
  }, [text]);
  return (
    <TextInput
      ref={input}
      label={label}
      type="datetime-local"
      defaultValue={text}
      onChange={({ currentTarget }) => {
        const moment = new Date(currentTarget.value);
        if (Number.isNaN(moment.getTime())) onChange(undefined);
        else if (moment.getFullYear() >= firstYear) onChange(moment.toISOString());
      }}
    />
  );
}

function localTime(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
