import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from '../lib/copy-text.ts';

const looks = {
  copied: { label: 'Copied', color: 'teal', Icon: IconCheck },
  failed: { label: 'Copying failed: select the text', color: 'red', Icon: IconAlertTriangle },
} as const;

/** Copies a text to the clipboard. `label` names the text: "Copy URL". */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const { result, copy } = useCopy(value);
  const { Icon, ...look } = result === undefined ? { label, color: 'gray', Icon: IconCopy } : looks[result];
  return (
    <Tooltip label={look.label}>
      <ActionIcon
        variant="subtle"
        color={look.color}
        onClick={({ currentTarget }) => void copy(currentTarget)}
        aria-label={label}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
