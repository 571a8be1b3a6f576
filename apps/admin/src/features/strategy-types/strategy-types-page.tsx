import { Badge, Group, Table, Text } from '@mantine/core';
import { IconBan, IconRestore } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { useReport } from '../../ui/report.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { definitionsQuery, type StrategyType } from '../strategies/strategy-queries.ts';
import { StrategyTypeForm } from './strategy-type-form.tsx';

/** What lies over the table. */
type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly strategy: StrategyType };

/** The strategies that flags can use: those that every SDK knows, and those that SDKs are taught. */
export function StrategyTypesPage() {
  const strategies = useQuery(definitionsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={titleOf('/strategies')}
      description="What a flag can decide by. Every SDK knows the ones that come with the service; a custom one has to be taught to it."
      actions={
        <NewButton needs="CREATE_STRATEGY" onClick={() => setOpen({ kind: 'new' })}>
          New strategy
        </NewButton>
      }
    >
      <Loaded query={strategies}>
        {(list) => (
          <Table.ScrollContainer minWidth={320}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th visibleFrom="sm">Parameters</Table.Th>
                  <Table.Th w={56} aria-label="Actions" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((strategy) => (
                  <Row key={strategy.name} strategy={strategy} onOpen={(kind) => setOpen({ kind, strategy })} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
      {open?.kind === 'new' && (
        <StrategyTypeForm taken={strategies.data?.map(({ name }) => name) ?? []} onClose={close} />
      )}
      {open?.kind === 'edit' && <StrategyTypeForm strategy={open.strategy} taken={[]} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete strategy?"
          action="Delete strategy"
          typed={open.strategy.name}
          run={() => api('DELETE /api/admin/strategies/:name', { params: { name: open.strategy.name } })}
          changes={['GET /api/admin/strategies']}
          onClose={close}
        >
          No flag can use it any more. It cannot be deleted while one does.
        </Confirm>
      )}
    </Page>
  );
}

interface RowProps {
  readonly strategy: StrategyType;
  readonly onOpen: (kind: 'edit' | 'remove') => void;
}

function Row({ strategy, onOpen }: RowProps) {
  const { name, title, displayName, description, editable, deprecated, parameters } = strategy;
  const mark = useMark(strategy);
  const builtIn = editable ? undefined : 'It comes with the service.';
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text fw={550} size="sm">
            {displayName ?? title ?? name}
          </Text>
          {editable && (
            <Badge size="sm" variant="light" tt="none">
              Custom
            </Badge>
          )}
          {deprecated && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              Deprecated
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2} maw={560}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Group gap={4}>
          {parameters.map((parameter) => (
            <Badge key={parameter.name} size="sm" variant="default" tt="none" fw={500}>
              {parameter.name}: {parameter.type}
            </Badge>
          ))}
          {parameters.length === 0 && (
            <Text size="sm" c="dimmed">
              None
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            editAction(() => onOpen('edit'), { needs: 'UPDATE_STRATEGY', impossible: builtIn }),
            {
              label: deprecated ? 'Reactivate' : 'Deprecate',
              icon: deprecated ? <IconRestore size={16} /> : <IconBan size={16} />,
              needs: 'UPDATE_STRATEGY',
              run: mark,
            },
            deleteAction(() => onOpen('remove'), { needs: 'DELETE_STRATEGY', impossible: builtIn }),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

/** Advises against a strategy, or no longer. */
function useMark({ name: strategyName, deprecated }: StrategyType): () => void {
  const queries = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: () =>
      deprecated
        ? api('POST /api/admin/strategies/:strategyName/reactivate', { params: { strategyName } })
        : api('POST /api/admin/strategies/:strategyName/deprecate', { params: { strategyName } }),
    onError: report,
    onSettled: () => queries.invalidateQueries(definitionsQuery),
  });
  return () => change.mutate();
}
