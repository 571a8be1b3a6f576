import { Badge, Group, Table, Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { matches } from '../../lib/query-search.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { Usage, usedIn } from '../../ui/usage.tsx';
import { ContextFieldForm } from './context-field-form.tsx';
import { type ContextField, type ContextFieldRoutes, changedByContextFields } from './context-field-routes.ts';

interface Props {
  readonly fields: readonly ContextField[];
  readonly query?: string | undefined;
  readonly routes: ContextFieldRoutes;
}

/** What lies over the table. */
interface Open {
  readonly kind: 'edit' | 'usage' | 'remove';
  readonly field: ContextField;
}

/** Context fields, with what can be done to each. */
export function ContextFieldTable({ fields, query, routes }: Props) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const shown = fields.filter(({ name, description }) => matches(query, name, description));
  if (shown.length === 0)
    return query === undefined ? (
      <EmptyState title="No context fields yet">
        Add what your software knows about its users: a country, a plan, the version of an app.
      </EmptyState>
    ) : (
      <EmptyState title="No context field is like that">Look for fewer words.</EmptyState>
    );
  return (
    <>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th visibleFrom="sm">Legal values</Table.Th>
              <Table.Th>Used in</Table.Th>
              <Table.Th w={56} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((field) => (
              <Row key={field.name} field={field} routes={routes} onOpen={(kind) => setOpen({ kind, field })} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {open?.kind === 'edit' && <ContextFieldForm field={open.field} routes={routes} taken={[]} onClose={close} />}
      {open?.kind === 'usage' && <FieldUsage field={open.field} routes={routes} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete context field?"
          action="Delete context field"
          run={() => routes.remove(open.field.name)}
          changes={changedByContextFields}
          onClose={close}
        >
          Nobody can ask about <b>{open.field.name}</b> any more when they add a constraint.
        </Confirm>
      )}
    </>
  );
}

interface RowProps {
  readonly field: ContextField;
  readonly routes: ContextFieldRoutes;
  readonly onOpen: (kind: Open['kind']) => void;
}

function Row({ field, routes: { needs, place }, onOpen }: RowProps) {
  const { name, description, stickiness, legalValues, usedInFeatures, usedInProjects } = field;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text fw={550} size="sm" ff="monospace">
            {name}
          </Text>
          {stickiness && (
            <Badge size="sm" variant="light" tt="none">
              Stickiness
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2} maw={480}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Group gap={4}>
          {legalValues.slice(0, 4).map(({ value }) => (
            <Badge key={value} size="sm" variant="default" tt="none" fw={500}>
              {value}
            </Badge>
          ))}
          {legalValues.length > 4 && (
            <Text size="xs" c="dimmed">
              and {legalValues.length - 4} more
            </Text>
          )}
          {legalValues.length === 0 && (
            <Text size="sm" c="dimmed">
              Any
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td>{usedIn(usedInFeatures, usedInProjects)}</Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            editAction(() => onOpen('edit'), { needs: needs.update, place }),
            { label: 'Where it is used', icon: <IconListSearch size={16} />, run: () => onOpen('usage') },
            deleteAction(() => onOpen('remove'), {
              needs: needs.remove,
              place,
              impossible:
                usedInFeatures > 0
                  ? `Constraints of ${usedIn(usedInFeatures, usedInProjects)} ask about it, as listed in "Where it is used": remove them first.`
                  : undefined,
            }),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

interface UsageProps {
  readonly field: ContextField;
  readonly routes: ContextFieldRoutes;
  readonly onClose: () => void;
}

function FieldUsage({ field: { name }, routes, onClose }: UsageProps) {
  const strategies = useQuery(routes.usage(name));
  return <Usage title={`Where ${name} is used`} query={strategies} onClose={onClose} />;
}
