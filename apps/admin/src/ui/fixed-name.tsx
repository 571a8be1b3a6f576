import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Omit<TextInputProps, 'description'> {
  readonly isNew: boolean;
  /** The use of the name. */
  readonly description?: string;
}

/** The name by which other systems know a row: chosen once, and shown in the form that edits the row. */
export function FixedName({ isNew, description, ...props }: Props) {
  return (
    <TextInput
      description={`${description === undefined ? '' : `${description} `}It cannot be changed later.`}
      required={isNew}
      readOnly={!isNew}
      variant={isNew ? 'default' : 'filled'}
      autoComplete="off"
      data-autofocus={isNew || undefined}
      {...props}
    />
  );
}
