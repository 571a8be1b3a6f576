import { Group, Table } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { Environment } from '../../entities/environments/environment-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { ChangeSwitch } from '../../ui/change-switch.tsx';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { Sortable, useSortableItem } from '../../ui/sortable.tsx';
import { RowName, SmallBadge } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';

interface RowActions {
  readonly onEdit: (environment: Environment) => void;
  readonly onClone: (environment: Environment) => void;
  readonly onRemove: (environment: Environment) => void;
}

export function EnvironmentTable({
  environments,
  ...actions
}: RowActions & { readonly environments: readonly Environment[] }) {
  const { shown, reorder } = useOrder(environments);
  return (
    <Sortable ids={shown.map(({ name }) => name)} onReorder={reorder}>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={48} aria-label="Order" />
              <Table.Th>Name</Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                Projects
              </Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                API tokens
              </Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                Flags on
              </Table.Th>
              <Table.Th>In new projects</Table.Th>
              <Table.Th w={56} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((environment) => (
              <Row key={environment.name} environment={environment} {...actions} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Sortable>
  );
}

/** Returns the environments, in the order that the user has just chosen until the server has saved it. */
function useOrder(environments: readonly Environment[]) {
  const change = useChange({
    run: (names: readonly string[]) =>
      api('PUT /api/admin/environments/sort-order', {
        body: Object.fromEntries(names.map((name, index) => [name, (index + 1) * 100])),
      }),
    changes: ['GET /api/admin/environments'],
  });
  const pendingOrder = change.isPending ? change.variables : undefined;
  const shown =
    pendingOrder === undefined
      ? environments
      : environments.toSorted((a, b) => pendingOrder.indexOf(a.name) - pendingOrder.indexOf(b.name));
  return { shown, reorder: change.mutate };
}

function Row({
  environment,
  onEdit,
  onClone,
  onRemove,
}: RowActions & {
  readonly environment: Environment;
}) {
  const { name, type, projectCount, apiTokenCount, enabledToggleCount } = environment;
  const may = useMay();
  const mayMove = may('ADMIN');
  const { ref, style, handle } = useSortableItem(name, name, !mayMove);
  return (
    <Table.Tr ref={ref} style={style} bg="var(--mantine-color-body)">
      <Table.Td>{mayMove && handle}</Table.Td>
      <Table.Td>
        <Group gap="xs">
          <RowName>{name}</RowName>
          <SmallBadge color={type === 'production' ? 'sea' : 'gray'}>{type}</SmallBadge>
        </Group>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {projectCount}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {apiTokenCount}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {enabledToggleCount}
      </Table.Td>
      <Table.Td>
        <EnabledSwitch environment={environment} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            editAction(() => onEdit(environment), { needs: 'ADMIN' }),
            { label: 'Clone', icon: <IconCopy size={16} />, needs: 'ADMIN', run: () => onClone(environment) },
            deleteAction(() => onRemove(environment), {
              needs: 'ADMIN',
              impossible:
                enabledToggleCount > 0
                  ? 'Flags are on in this environment. Switch them off, or remove the environment from their projects.'
                  : undefined,
            }),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function EnabledSwitch({ environment: { name, enabled } }: { readonly environment: Environment }) {
  const params = { name };
  return (
    <ChangeSwitch
      label={`Add ${name} to new projects`}
      on={enabled}
      needs="ADMIN"
      set={(on) =>
        on
          ? api('POST /api/admin/environments/:name/on', { params })
          : api('POST /api/admin/environments/:name/off', { params })
      }
      changes={['GET /api/admin/environments']}
    />
  );
}
