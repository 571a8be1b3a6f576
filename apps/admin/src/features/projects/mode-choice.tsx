import { Radio, type RadioGroupProps, Stack } from '@mantine/core';

const modes = [
  { value: 'open', label: 'Open', description: 'All Editors have the permissions of members.' },
  { value: 'protected', label: 'Protected', description: 'Visible to all users. Only members can change it.' },
  { value: 'private', label: 'Private', description: 'Visible only to members.' },
] as const;

export type Mode = (typeof modes)[number]['value'];

interface Props extends Pick<RadioGroupProps, 'error'> {
  readonly value?: Mode;
  readonly onChange?: (mode: Mode) => void;
}

/** Selects who can see and change a project. */
export function ModeChoice({ onChange, ...props }: Props) {
  return (
    <Radio.Group label="Collaboration mode" onChange={(value) => onChange?.(value as Mode)} {...props}>
      <Stack gap="xs" mt={4}>
        {modes.map((mode) => (
          <Radio key={mode.value} {...mode} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
