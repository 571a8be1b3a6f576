import { Badge, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { memo, useCallback } from 'react';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { ColumnName } from './column-choice.tsx';
import { FavoriteFlag } from './favorite-flag.tsx';
import type { FlagSearchChange } from './flag-filters.tsx';
import type { FlagSearch } from './flag-search.ts';
import type { FlagRow } from './flag-search-query.ts';
import { FlagSwitch } from './flag-switch.tsx';
import { textOf } from './tag-input.tsx';

interface Props {
  readonly rows: readonly FlagRow[];
  readonly environments: readonly string[];
  readonly columns: readonly ColumnName[];
  readonly search: FlagSearch;
  /** Names of the flags that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  readonly onSearch: (change: FlagSearchChange) => void;
}

/** Flags of a project, one in a row, switched in place. */
export function FlagTable({ rows, environments, columns, search, chosen, onChoose, onSearch }: Props) {
  const has = (column: ColumnName) => columns.includes(column);
  const shown = has('environments') ? environments : [];
  const all = rows.every(({ name }) => chosen.has(name));
  const some = !all && rows.some(({ name }) => chosen.has(name));
  const choose = useCallback(
    (name: string, wanted: boolean) => onChoose((before) => withNames(before, [name], wanted)),
    [onChoose],
  );
  const names = rows.map(({ name }) => name);
  const header = { search, onSearch };
  return (
    <Table.ScrollContainer minWidth={460} aria-label="Flags" tabIndex={0}>
      <Table highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <Checkbox
                checked={all}
                indeterminate={some}
                onChange={({ currentTarget: { checked } }) => onChoose((before) => withNames(before, names, checked))}
                aria-label="Choose all flags of this page"
              />
            </Table.Th>
            <Table.Th w={36} aria-label="Favorite" />
            <SortHeader {...header} sort="name" label="Name" />
            {has('type') && <SortHeader {...header} sort="type" label="Type" wide />}
            {has('tags') && <Table.Th visibleFrom="md">Tags</Table.Th>}
            {has('lifecycle') && <Table.Th visibleFrom="md">Lifecycle</Table.Th>}
            {has('createdAt') && <SortHeader {...header} sort="createdAt" label="Created" wide />}
            {has('lastSeenAt') && <SortHeader {...header} sort="lastSeenAt" label="Last seen" wide />}
            {shown.map((environment) => (
              <Table.Th key={environment}>{environment}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((flag) => (
            <FlagLine
              key={flag.name}
              flag={flag}
              environments={shown}
              columns={columns}
              chosen={chosen.has(flag.name)}
              onChoose={choose}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function withNames(before: ReadonlySet<string>, names: readonly string[], wanted: boolean): ReadonlySet<string> {
  return new Set(wanted ? [...before, ...names] : [...before].filter((name) => !names.includes(name)));
}

interface SortProps {
  readonly search: FlagSearch;
  readonly sort: NonNullable<FlagSearch['sort']>;
  readonly label: string;
  /** Left out on small screens, so that the switches are in sight. */
  readonly wide?: boolean;
  readonly onSearch: (change: FlagSearchChange) => void;
}

function SortHeader({ search, sort, label, wide = false, onSearch }: SortProps) {
  const current = (search.sort ?? 'name') === sort;
  const desc = current && search.desc === true;
  // Times are asked for with the latest first; names from their beginning.
  const next = current ? !desc : sort.endsWith('At');
  return (
    <Table.Th
      aria-sort={current ? (desc ? 'descending' : 'ascending') : undefined}
      {...(wide ? { visibleFrom: 'md' } : {})}
    >
      <UnstyledButton
        fw={700}
        fz="sm"
        onClick={() => onSearch({ sort: sort === 'name' ? undefined : sort, desc: next ? true : undefined })}
      >
        <Group gap={4} wrap="nowrap">
          {label}
          {current && (desc ? <IconChevronDown size={14} aria-hidden /> : <IconChevronUp size={14} aria-hidden />)}
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

interface LineProps {
  readonly flag: FlagRow;
  readonly environments: readonly string[];
  readonly columns: readonly ColumnName[];
  readonly chosen: boolean;
  readonly onChoose: (name: string, wanted: boolean) => void;
}

const FlagLine = memo(function FlagLine({ flag, environments, columns, chosen, onChoose }: LineProps) {
  const has = (column: ColumnName) => columns.includes(column);
  return (
    <Table.Tr {...(chosen ? { bg: 'var(--mantine-color-default-hover)' } : {})}>
      <Table.Td>
        <Checkbox
          checked={chosen}
          onChange={({ currentTarget }) => onChoose(flag.name, currentTarget.checked)}
          aria-label={`Choose ${flag.name}`}
        />
      </Table.Td>
      <Table.Td>
        <FavoriteFlag flag={flag} />
      </Table.Td>
      <Table.Td miw={160}>
        <FlagName flag={flag} />
      </Table.Td>
      {has('type') && <Table.Td visibleFrom="md">{flag.type}</Table.Td>}
      {has('tags') && (
        <Table.Td visibleFrom="md">
          <TagList flag={flag} />
        </Table.Td>
      )}
      {has('lifecycle') && <Table.Td visibleFrom="md">{flag.lifecycle.stage}</Table.Td>}
      {has('createdAt') && (
        <Table.Td visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
          <RelativeTime at={flag.createdAt} />
        </Table.Td>
      )}
      {has('lastSeenAt') && (
        <Table.Td visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
          {flag.lastSeenAt === null ? (
            <Text size="sm" c="dimmed">
              never
            </Text>
          ) : (
            <RelativeTime at={flag.lastSeenAt} />
          )}
        </Table.Td>
      )}
      {environments.map((environment) => (
        <Table.Td key={environment}>
          <StateOf flag={flag} environment={environment} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
});

/** What a flag is called, and what it is for. */
export function FlagName({ flag }: { readonly flag: FlagRow }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <TextLink
          to="/projects/$projectId/features/$featureName"
          params={{ projectId: flag.project, featureName: flag.name }}
          fw={550}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {flag.name}
        </TextLink>
        {flag.stale && (
          <Badge size="xs" color="gray" variant="light">
            Stale
          </Badge>
        )}
      </Group>
      {flag.description !== null && flag.description !== '' && (
        <Text size="xs" c="dimmed" lineClamp={1} maw={480}>
          {flag.description}
        </Text>
      )}
    </>
  );
}

function TagList({ flag }: { readonly flag: FlagRow }) {
  return (
    <Group gap={4}>
      {flag.tags.slice(0, 3).map((tag) => (
        <Badge key={textOf(tag)} size="sm" variant="default" tt="none" fw={500}>
          {textOf(tag)}
        </Badge>
      ))}
      {flag.tags.length > 3 && (
        <Text size="xs" c="dimmed">
          +{flag.tags.length - 3}
        </Text>
      )}
    </Group>
  );
}

function StateOf({ flag, environment }: { readonly flag: FlagRow; readonly environment: string }) {
  const state = flag.environments.find(({ name }) => name === environment);
  return state === undefined ? null : <FlagSwitch flag={flag} state={state} />;
}
