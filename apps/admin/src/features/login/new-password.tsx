import { PasswordInput } from '@mantine/core';

interface Props {
  readonly label?: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Where somebody chooses a password; says what the server will ask of it. */
export function NewPassword({ label = 'New password', value, error, onChange }: Props) {
  return (
    <PasswordInput
      label={label}
      description="At least 10 characters, with lower and upper case, a digit and a special character."
      autoComplete="new-password"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}
