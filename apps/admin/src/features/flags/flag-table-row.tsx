import { Button, Checkbox, Group, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { type Hold, heldAs } from '../../entities/holds/flag-hold.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { rowHighlight } from '../../ui/row-highlight.ts';
import { Hint, Muted, SmallBadge } from '../../ui/text.tsx';
import type { RowPlace } from '../../ui/windowed-rows.tsx';
import type { ColumnName } from './column-choice.tsx';
import { FavoriteFlag } from './favorite-flag.tsx';
import { stageName } from './flag-filters.tsx';
import { FlagName } from './flag-name.tsx';
import type { FlagRow } from './flag-search-query.ts';
import { FlagSwitch } from './flag-switch.tsx';
import { textOf } from './tag-input.tsx';
import { typeName } from './type-select.tsx';
import type { FlagResults } from './use-flag-results.ts';

/** The usual row height in pixels. */
export const lineHeight = 58;
/** The usual row height in pixels with switches below the name. */
export const stackedLineHeight = 92;

interface MissingProps {
  readonly place: RowPlace;
  readonly columns: number;
  readonly found: FlagResults;
  readonly index: number;
}

/** Renders a placeholder for a row that is loading or failed to load. */
export function PlaceholderRow({ place, columns, found, index }: MissingProps) {
  return (
    <Table.Tr {...place} h={lineHeight}>
      <Table.Td colSpan={columns}>
        {!found.hasFailedAt(index) ? (
          <Skeleton height={20} aria-label="Loading" />
        ) : (
          <Group gap="xs">
            <Text size="sm">Loading failed.</Text>
            <Button size="compact-xs" variant="default" onClick={found.retry}>
              Try again
            </Button>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

export interface SelectableProps {
  readonly name: string;
  readonly index: number;
  readonly measure: RowPlace['ref'];
  readonly chosen: boolean;
  readonly onChoose: (name: string, selected: boolean) => void;
  readonly children: ReactNode;
}

/** A selectable row of a windowed flag table. */
export function SelectableRow({ name, index, measure, chosen, onChoose, children }: SelectableProps) {
  return (
    <Table.Tr ref={measure} data-index={index} aria-rowindex={index + 2} {...(chosen ? { bg: rowHighlight } : {})}>
      <Table.Td>
        <Checkbox
          checked={chosen}
          onChange={({ currentTarget }) => onChoose(name, currentTarget.checked)}
          aria-label={`Select ${name}`}
        />
      </Table.Td>
      {children}
    </Table.Tr>
  );
}

interface LineProps extends Omit<SelectableProps, 'name' | 'children'> {
  readonly flag: FlagRow;
  /** Environments with a column of their own. */
  readonly environments: readonly string[];
  /** Environments whose switches are shown below the name. */
  readonly stacked: readonly string[];
  readonly columns: readonly ColumnName[];
}

/** A row of the flag table, with switches. */
export const FlagTableRow = memo(function FlagTableRow(props: LineProps) {
  const { flag, index, measure, environments, stacked, columns, chosen, onChoose } = props;
  const has = (column: ColumnName) => columns.includes(column);
  return (
    <SelectableRow name={flag.name} index={index} measure={measure} chosen={chosen} onChoose={onChoose}>
      <Table.Td visibleFrom="sm">
        <FavoriteFlag flag={flag} />
      </Table.Td>
      <Table.Td>
        <FlagName flag={flag} />
        {stacked.length > 0 && (
          <Group gap="xs" mt={6}>
            {stacked.map((environment) => (
              <Group key={environment} gap={6} wrap="nowrap">
                <StateOf flag={flag} environment={environment} />
                <Hint style={{ overflowWrap: 'anywhere' }}>{environment}</Hint>
              </Group>
            ))}
          </Group>
        )}
      </Table.Td>
      {has('type') && <Table.Td visibleFrom="md">{typeName(flag.type)}</Table.Td>}
      {has('tags') && (
        <Table.Td visibleFrom="md">
          <TagList flag={flag} />
        </Table.Td>
      )}
      {has('lifecycle') && <Table.Td visibleFrom="md">{stageName(flag.lifecycle.stage)}</Table.Td>}
      {has('createdAt') && (
        <Table.Td visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
          <RelativeTime at={flag.createdAt} />
        </Table.Td>
      )}
      {has('lastSeenAt') && (
        <Table.Td visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
          {flag.lastSeenAt === null ? <Muted>Never </Muted> : <RelativeTime at={flag.lastSeenAt} />}
        </Table.Td>
      )}
      {environments.map((environment) => (
        <Table.Td key={environment}>
          <StateOf flag={flag} environment={environment} />
        </Table.Td>
      ))}
    </SelectableRow>
  );
});

function TagList({ flag }: { readonly flag: FlagRow }) {
  return (
    <Group gap={4}>
      {flag.tags.slice(0, 3).map((tag) => (
        <SmallBadge key={textOf(tag)} variant="default" fw={500}>
          {textOf(tag)}
        </SmallBadge>
      ))}
      {flag.tags.length > 3 && <Hint>+{flag.tags.length - 3}</Hint>}
    </Group>
  );
}

/** Returns the effect of a hold for a badge: "off", "20 %", the name of a milestone. */
function shortEffect({ effect, rollout, milestone }: Hold): string {
  if (effect === 'milestone') return milestone?.name ?? 'milestone';
  return effect === 'rollout' ? `${rollout} %` : effect;
}

function StateOf({ flag, environment }: { readonly flag: FlagRow; readonly environment: string }) {
  const state = flag.environments.find(({ name }) => name === environment);
  if (state === undefined) return null;
  if (state.lease === null) return <FlagSwitch flag={flag} state={state} />;
  return (
    <Group gap={6} wrap="nowrap">
      <FlagSwitch flag={flag} state={state} />
      <Tooltip
        label={`Configured ${state.enabled ? 'on' : 'off'}, ${heldAs(state.lease)} by ${state.lease.heldBy.name}`}
      >
        <SmallBadge
          variant="filled"
          color="orange.4"
          autoContrast
          style={{ flexShrink: 0 }}
          leftSection={<IconLock size={10} role="img" aria-label="held" />}
        >
          {shortEffect(state.lease)}
        </SmallBadge>
      </Tooltip>
    </Group>
  );
}
