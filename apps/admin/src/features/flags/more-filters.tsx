import { Button, Group, NativeSelect, Popover, Select, Stack, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api-query.ts';
import type { DayFilter, FlagSearch, FlagSearchChange } from './flag-search.ts';

interface Props {
  readonly projectId: string;
  readonly search: FlagSearch;
  readonly onChange: (change: FlagSearchChange) => void;
}

/** The less common filters: creator, creation day and last use. */
export function MoreFilters({ projectId, search, onChange }: Props) {
  const used = [search.creator, search.created, search.seen].filter((filter) => filter !== undefined).length;
  return (
    <Popover position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" fw={400} leftSection={<IconFilter size={16} aria-hidden />}>
          {used === 0 ? 'More filters' : `More filters (${used})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="More filters">
        <Stack gap="sm">
          <Creator projectId={projectId} search={search} onChange={onChange} />
          <Day label="Created" value={search.created} onChange={(created) => onChange({ created })} />
          <Day label="Last seen" value={search.seen} onChange={(seen) => onChange({ seen })} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Creator({ projectId, search, onChange }: Props) {
  const { data = [] } = useQuery({
    ...apiQuery('GET /api/admin/projects/:projectId/flag-creators', { params: { projectId } }),
    staleTime: 30_000,
  });
  return (
    <Select
      label="Created by"
      placeholder="Anyone"
      data={data.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={search.creator === undefined ? null : String(search.creator)}
      onChange={(creator) => onChange({ creator: creator === null ? undefined : Number(creator) })}
      clearable
      clearButtonProps={{ 'aria-label': 'Created by anyone' }}
      searchable
      limit={200}
      // The popover moves the focus to this field when it opens. The list of the field must not open with it.
      openOnFocus={false}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

interface DayProps {
  readonly label: string;
  readonly value: DayFilter | undefined;
  readonly onChange: (value: DayFilter | undefined) => void;
}

/** Filters flags by a day: on or after the day, or before it. That choice is kept while the day is empty. */
function Day({ label, value, onChange }: DayProps) {
  const [side, setSide] = useState<'after' | 'before'>(value?.startsWith('before') === true ? 'before' : 'after');
  const day = value?.slice(value.indexOf(':') + 1) ?? '';
  const apply = (newSide: 'after' | 'before', newDay: string) =>
    onChange(newDay === '' ? undefined : `${newSide}:${newDay}`);
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NativeSelect
        label={label}
        data={[
          { value: 'after', label: 'on or after' },
          { value: 'before', label: 'before' },
        ]}
        value={side}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value === 'before' ? 'before' : 'after';
          setSide(chosen);
          if (day !== '') apply(chosen, day);
        }}
      />
      <TextInput
        type="date"
        aria-label={`${label}: day (UTC)`}
        value={day}
        onChange={({ currentTarget }) => apply(side, currentTarget.value)}
      />
    </Group>
  );
}
