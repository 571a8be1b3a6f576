import { Checkbox, type CheckboxProps } from '@mantine/core';

/** Offers to delete personal tokens when a password is set: a person who knew the old password may have made one. */
export function RevokeTokens(props: CheckboxProps) {
  return (
    <Checkbox
      label="Delete personal tokens too"
      description="Tick this if another person may have known the password. Scripts that use these tokens stop working."
      {...props}
    />
  );
}
