import { Radio, type RadioGroupProps, Stack } from '@mantine/core';

const modes = [
  { value: 'open', label: 'Open', description: 'Every Editor may do what a member may.' },
  { value: 'protected', label: 'Protected', description: 'Everybody sees it; its members change it.' },
  { value: 'private', label: 'Private', description: 'Its members alone see it.' },
] as const;

export type Mode = (typeof modes)[number]['value'];

interface Props extends Pick<RadioGroupProps, 'error'> {
  readonly value?: Mode;
  readonly onChange?: (mode: Mode) => void;
}

/** Who sees a project and who changes it. */
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
