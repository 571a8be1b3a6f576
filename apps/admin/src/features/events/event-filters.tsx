import { Button, Collapse, Group, Input, MultiSelect, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readableAuthor } from '@yardarm/contract/author-names';
import { eventLabels, eventTypes } from '@yardarm/contract/event-types';
import type { ReactNode } from 'react';
import { titleOf } from '../../entities/events/event-queries.ts';
import { type EventSearch, filtersOf } from '../../entities/events/event-search.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { SearchInput } from '../../ui/search-input.tsx';

interface Props {
  readonly search: EventSearch;
  readonly onChange: (filters: EventSearch) => void;
  /** Rendered at the end of the first line. */
  readonly children: ReactNode;
}

/** The filters of the event log, which are stored in the address. */
export function EventFilters({ search, onChange, children }: Props) {
  const { query, ...others } = filtersOf(search);
  const set = Object.keys(others).length;
  const [opened, { toggle }] = useDisclosure(set > 0);
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchInput
          label="Search events"
          placeholder="Search the changes"
          value={query}
          onChange={(words) => onChange({ query: words })}
        />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          onClick={toggle}
          aria-expanded={opened}
        >
          {set === 0 ? 'Filters' : `Filters (${set})`}
        </Button>
        {(set > 0 || query !== undefined) && (
          <Button
            variant="subtle"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() =>
              onChange(Object.fromEntries(Object.keys({ query, ...others }).map((name) => [name, undefined])))
            }
          >
            Clear
          </Button>
        )}
        {children}
      </Group>
      <Collapse expanded={opened}>
        <FilterFields search={search} onChange={onChange} />
      </Collapse>
    </Stack>
  );
}

const typeChoices = eventTypes.map((type) => ({ value: type, label: titleOf({ type, label: eventLabels[type] }) }));

function FilterFields({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const projects = useQuery(apiQuery('GET /api/admin/projects', {}, ({ projects }) => projects));
  const environments = useQuery(apiQuery('GET /api/admin/environments', {}, ({ environments }) => environments));
  const creators = useQuery(apiQuery('GET /api/admin/event-creators'));
  const shared = { searchable: true, clearable: true, hidePickedOptions: true } as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
      <MultiSelect
        {...shared}
        label="Type"
        data={typeChoices}
        value={[...(search.type ?? [])]}
        onChange={(type) => onChange({ type })}
      />
      <MultiSelect
        {...shared}
        label="Project"
        data={withChosen(
          projects.data?.map(({ id, name }) => ({ value: id, label: name })),
          search.project,
        )}
        value={[...(search.project ?? [])]}
        onChange={(project) => onChange({ project })}
      />
      <TagsInput
        label="Flag"
        description="Exact names"
        inputWrapperOrder={['label', 'input', 'description']}
        clearable
        value={[...(search.feature ?? [])]}
        onChange={(feature) => onChange({ feature })}
      />
      <MultiSelect
        {...shared}
        label="Environment"
        data={withChosen(
          environments.data?.map(({ name }) => ({ value: name, label: name })),
          search.environment,
        )}
        value={[...(search.environment ?? [])]}
        onChange={(environment) => onChange({ environment })}
      />
      <MultiSelect
        {...shared}
        label="Created by"
        data={withChosen(
          creators.data?.map(({ id, name }) => ({ value: `${id}`, label: readableAuthor(name) })),
          search.createdBy,
        )}
        value={(search.createdBy ?? []).map(String)}
        onChange={(createdBy) => onChange({ createdBy: createdBy.map(Number) })}
      />
      <Input.Wrapper label="Reason" labelElement="div">
        <SearchInput
          label="Reason contains"
          placeholder=""
          value={search.reason}
          onChange={(reason) => onChange({ reason })}
        />
      </Input.Wrapper>
      <DateTimeInput label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <DateTimeInput label="Before" value={search.to} onChange={(to) => onChange({ to })} />
    </SimpleGrid>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Adds selected values that are not among the options: deleted, or not loaded yet. */
function withChosen(choices: readonly Choice[] = [], chosen: readonly (string | number)[] = []): Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  const others = chosen.map(String).filter((value) => !known.has(value));
  return [...choices, ...others.map((value) => ({ value, label: value }))];
}
