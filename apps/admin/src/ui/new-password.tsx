import type { PasswordInputProps } from '@mantine/core';
import { PasswordField } from './password-field.tsx';

/** An input for a new password, with the password rules of the server. */
export function NewPassword({ label = 'New password', ...others }: PasswordInputProps) {
  return (
    <PasswordField
      label={label}
      description="At least 10 characters, with lower and upper case, a digit and a special character. Not a common word."
      autoComplete="new-password"
      required
      {...others}
    />
  );
}
