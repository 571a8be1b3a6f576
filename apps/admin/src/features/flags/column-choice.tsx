import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';

/** The optional columns, in order. */
export const columnNames = {
  type: 'Type',
  tags: 'Tags',
  lifecycle: 'Lifecycle',
  createdAt: 'Created',
  lastSeenAt: 'Last seen',
  environments: 'Environments',
} as const;
export type ColumnName = keyof typeof columnNames;

export const usualColumns: readonly ColumnName[] = ['type', 'tags', 'createdAt', 'lastSeenAt', 'environments'];

interface Props {
  readonly columns: readonly ColumnName[];
  readonly onChange: (columns: readonly ColumnName[]) => void;
}

/** Selects the columns of the flag table. The selection is stored in the browser. */
export function ColumnChoice({ columns, onChange }: Props) {
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="sm" leftSection={<IconColumns size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {(Object.keys(columnNames) as ColumnName[]).map((name) => (
            <Checkbox
              key={name}
              label={columnNames[name]}
              checked={columns.includes(name)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...columns, name] : columns.filter((column) => column !== name))
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
