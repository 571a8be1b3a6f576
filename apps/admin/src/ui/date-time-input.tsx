import { TextInput } from '@mantine/core';

interface Props {
  readonly label: string;
  /** The time in ISO 8601; undefined for none. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses a date and time in the user's time zone, to the minute. */
export function DateTimeInput({ label, value, onChange }: Props) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      value={value === undefined ? '' : localTime(new Date(value))}
      onChange={({ currentTarget }) => {
        const ms = currentTarget.value === '' ? Number.NaN : new Date(currentTarget.value).getTime();
        onChange(Number.isNaN(ms) ? undefined : new Date(ms).toISOString());
      }}
    />
  );
}

function localTime(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
