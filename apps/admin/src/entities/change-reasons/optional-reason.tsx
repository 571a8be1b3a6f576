import { Anchor, TextInput } from '@mantine/core';
import { longestChangeReason } from '@yardarm/contract/permissions';

interface Props {
  /** Undefined until the user wants to give a reason. */
  readonly value: string | undefined;
  readonly onChange: (reason: string | undefined) => void;
}

/** A link beside a button or switch that works without a reason. It opens a field for the reason of the next change. */
export function OptionalReason({ value, onChange }: Props) {
  if (value === undefined)
    return (
      <Anchor component="button" type="button" size="sm" lh="24px" ta="start" onClick={() => onChange('')}>
        Add a reason
      </Anchor>
    );
  return (
    <TextInput
      size="xs"
      aria-label="Reason for the next change"
      placeholder="Reason for the next change"
      maxLength={longestChangeReason}
      autoFocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Escape' && onChange(undefined)}
    />
  );
}
