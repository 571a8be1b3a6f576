import { Group } from '@mantine/core';
import { IconBan, IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionsQuery, type StrategyType } from '../../entities/strategies/strategy-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { deleteAction, editAction, type RowAction } from '../../ui/row-menu.tsx';
import { Hint, Muted, RowName, SmallBadge } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';
import { StrategyTypeForm } from './strategy-type-form.tsx';

/** The panel or dialog over the table. */
type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly strategy: StrategyType };

/** The strategy types: built-in ones, and custom ones that SDKs must implement. */
export function StrategyTypesPage() {
  const strategies = useQuery(definitionsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const toggleDeprecated = useToggleDeprecated();
  return (
    <Page
      title={titleOf('/strategies')}
      description="Every SDK supports the built-in strategy types. Custom strategy types must be implemented in the SDKs that use them."
      actions={
        <NewButton needs="CREATE_STRATEGY" onClick={() => setOpen({ kind: 'new' })}>
          New strategy type
        </NewButton>
      }
    >
      <Listing
        query={strategies}
        rows={strategies.data}
        rowKey={({ name }) => name}
        columns={columns}
        menu={(strategy) => ({
          of: strategy.name,
          actions: actionsOf(strategy, (kind) => setOpen({ kind, strategy }), toggleDeprecated),
        })}
      />
      {open?.kind === 'new' && (
        <StrategyTypeForm taken={strategies.data?.map(({ name }) => name) ?? []} onClose={close} />
      )}
      {open?.kind === 'edit' && <StrategyTypeForm strategy={open.strategy} taken={[]} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete strategy type?"
          action="Delete strategy type"
          typed={open.strategy.name}
          run={() => api('DELETE /api/admin/strategies/:name', { params: { name: open.strategy.name } })}
          changes={['GET /api/admin/strategies']}
          onClose={close}
        >
          A strategy type that flags use cannot be deleted.
        </Confirm>
      )}
    </Page>
  );
}

const columns: readonly Column<StrategyType>[] = [
  { header: 'Name', cell: (strategy) => <StrategyName strategy={strategy} /> },
  { header: 'Parameters', visibleFrom: 'sm', cell: (strategy) => <ParameterBadges strategy={strategy} /> },
];

function StrategyName({ strategy }: { readonly strategy: StrategyType }) {
  const { name, title, displayName, description, editable, deprecated } = strategy;
  return (
    <>
      <Group gap="xs">
        <RowName>{displayName ?? title ?? name}</RowName>
        {editable && <SmallBadge>Custom</SmallBadge>}
        {deprecated && <SmallBadge color="gray">Deprecated</SmallBadge>}
      </Group>
      <Hint lineClamp={2} maw={560}>
        {description}
      </Hint>
    </>
  );
}

function ParameterBadges({ strategy: { parameters } }: { readonly strategy: StrategyType }) {
  return (
    <Group gap={4}>
      {parameters.map(({ name, type }) => (
        <SmallBadge key={name} variant="default" fw={500}>
          {name}: {type}
        </SmallBadge>
      ))}
      {parameters.length === 0 && <Muted>None</Muted>}
    </Group>
  );
}

function actionsOf(
  strategy: StrategyType,
  onOpen: (kind: 'edit' | 'remove') => void,
  onToggleDeprecated: (strategy: StrategyType) => void,
): readonly RowAction[] {
  const { editable, deprecated } = strategy;
  const impossible = editable ? undefined : 'Built-in strategies cannot be changed.';
  return [
    editAction(() => onOpen('edit'), { needs: 'UPDATE_STRATEGY', impossible }),
    {
      label: deprecated ? 'Reactivate' : 'Deprecate',
      icon: deprecated ? <IconRestore size={16} /> : <IconBan size={16} />,
      needs: 'UPDATE_STRATEGY',
      run: () => onToggleDeprecated(strategy),
    },
    deleteAction(() => onOpen('remove'), { needs: 'DELETE_STRATEGY', impossible }),
  ];
}

/** Returns a function that deprecates a strategy type, or reactivates a deprecated one. */
function useToggleDeprecated(): (strategy: StrategyType) => void {
  const change = useChange({
    run: ({ name: strategyName, deprecated }: StrategyType) =>
      deprecated
        ? api('POST /api/admin/strategies/:strategyName/reactivate', { params: { strategyName } })
        : api('POST /api/admin/strategies/:strategyName/deprecate', { params: { strategyName } }),
    changes: ['GET /api/admin/strategies'],
  });
  return change.mutate;
}
