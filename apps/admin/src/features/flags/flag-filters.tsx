import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { featureTypesQuery } from '../../entities/flags/flag-queries.ts';
import { apiQuery } from '../../lib/api-query.ts';
import type { FlagSearch, FlagSearchChange } from './flag-search.ts';
import { MoreFilters } from './more-filters.tsx';
import { textOf } from './tag-input.tsx';

interface Props {
  readonly projectId: string;
  readonly search: FlagSearch;
  readonly onChange: (change: FlagSearchChange) => void;
  readonly children: ReactNode;
}

const states = [
  { value: 'active', label: 'Active' },
  { value: 'stale', label: 'Stale' },
  { value: 'potentially-stale', label: 'Potentially stale' },
] as const;

const stages = [
  { value: 'initial', label: 'Initial' },
  { value: 'pre-live', label: 'Pre-live' },
  { value: 'live', label: 'Live' },
  { value: 'completed', label: 'Completed' },
];

/** Returns the label of a lifecycle stage. */
export function stageName(stage: string): string {
  return stages.find(({ value }) => value === stage)?.label ?? stage;
}

const filters = ['query', 'type', 'state', 'stage', 'tag', 'held', 'creator', 'created', 'seen'] as const;

const holds = [{ value: 'held', label: 'Held' }] as const;

/** The search and filters of the flag table. */
export function FlagFilters({ projectId, search, onChange, children }: Props) {
  const { data: types } = useQuery(featureTypesQuery);
  const { data: tags } = useQuery({ ...apiQuery('GET /api/admin/tags', {}, ({ tags }) => tags), staleTime: 30_000 });
  const filtered = filters.some((name) => search[name] !== undefined);
  const known = (tags ?? []).map(textOf);
  return (
    <Group gap="sm">
      <SearchText search={search} onChange={onChange} />
      <Choice
        label="Type"
        data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={search.type}
        onChange={(type) => onChange({ type })}
      />
      <Choice
        label="State"
        data={states}
        value={search.state}
        onChange={(chosen) => onChange({ state: states.find(({ value }) => value === chosen)?.value })}
      />
      <Choice label="Lifecycle" data={stages} value={search.stage} onChange={(stage) => onChange({ stage })} />
      <Choice
        label="Tag"
        data={(search.tag === undefined || known.includes(search.tag) ? known : [...known, search.tag]).map((tag) => ({
          value: tag,
          label: tag,
        }))}
        value={search.tag}
        onChange={(tag) => onChange({ tag })}
      />
      <Choice
        label="Holds"
        data={holds}
        value={search.held === true ? 'held' : undefined}
        onChange={(chosen) => onChange({ held: chosen === 'held' ? true : undefined })}
      />
      <MoreFilters projectId={projectId} search={search} onChange={onChange} />
      {filtered && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => onChange(Object.fromEntries(filters.map((name) => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
      {children}
    </Group>
  );
}

/**
 * The search field. The address follows the text after a delay; changes of the address from elsewhere update the text.
 */
export function SearchText({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const [text, setText] = useState(search.query ?? '');
  const [seen, setSeen] = useState(search.query);
  const [applied, setApplied] = useState(search.query);
  if (search.query !== seen) {
    setSeen(search.query);
    if (search.query !== applied) {
      setText(search.query ?? '');
      setApplied(search.query);
    }
  }
  const apply = useDebouncedCallback((words: string) => {
    const query = words === '' ? undefined : words;
    setApplied(query);
    onChange({ query });
  }, 150);
  return (
    <TextInput
      aria-label="Search flags"
      placeholder="Search by name, description or tag"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value.trim());
      }}
      miw={220}
      maw={380}
      flex={1}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, data, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      searchable={data.length > 8}
      limit={200}
      w={150}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
