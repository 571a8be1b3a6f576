import { Group } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ContextField,
  type ContextFieldRoutes,
  changedByContextFields,
} from '../../entities/context-fields/context-field-routes.ts';
import { matches } from '../../lib/query-search.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { deleteAction, editAction, type RowMenuProps } from '../../ui/row-menu.tsx';
import { Hint, Muted, RowName, SmallBadge } from '../../ui/text.tsx';
import { Usage, usedIn } from '../../ui/usage.tsx';
import { ContextFieldForm } from './context-field-form.tsx';

interface Props {
  readonly fields: readonly ContextField[];
  readonly query?: string | undefined;
  readonly routes: ContextFieldRoutes;
}

/** The panel or dialog over the table. */
interface Open {
  readonly kind: 'edit' | 'usage' | 'remove';
  readonly field: ContextField;
}

/** Lists context fields, with a menu for each. */
export function ContextFieldTable({ fields, query, routes }: Props) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const shown = fields.filter(({ name, description }) => matches(query, name, description));
  return (
    <>
      <Listing
        rows={shown}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title="No context fields yet">
            Add what your applications know about their users: a country, a plan, an app version.
          </EmptyState>
        }
        filtered={query === undefined ? undefined : 'context fields'}
        columns={columns}
        menu={(field) => menuOf(field, routes, (kind) => setOpen({ kind, field }))}
      />
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
          New constraints can no longer use <b>{open.field.name}</b>.
        </Confirm>
      )}
    </>
  );
}

const columns: readonly Column<ContextField>[] = [
  { header: 'Name', cell: (field) => <FieldName field={field} /> },
  { header: 'Legal values', visibleFrom: 'sm', cell: (field) => <LegalValueBadges field={field} /> },
  { header: 'Used in', cell: ({ usedInFeatures, usedInProjects }) => usedIn(usedInFeatures, usedInProjects) },
];

function FieldName({ field: { name, description, stickiness } }: { readonly field: ContextField }) {
  return (
    <>
      <Group gap="xs">
        <RowName ff="monospace">{name}</RowName>
        {stickiness && <SmallBadge>Stickiness</SmallBadge>}
      </Group>
      <Hint lineClamp={2} maw={480}>
        {description}
      </Hint>
    </>
  );
}

function LegalValueBadges({ field: { legalValues } }: { readonly field: ContextField }) {
  return (
    <Group gap={4}>
      {legalValues.slice(0, 4).map(({ value }) => (
        <SmallBadge key={value} variant="default" fw={500}>
          {value}
        </SmallBadge>
      ))}
      {legalValues.length > 4 && <Hint>and {legalValues.length - 4} more</Hint>}
      {legalValues.length === 0 && <Muted>Any</Muted>}
    </Group>
  );
}

function menuOf(field: ContextField, routes: ContextFieldRoutes, onOpen: (kind: Open['kind']) => void): RowMenuProps {
  const { name, usedInFeatures, usedInProjects } = field;
  const { needs, place } = routes;
  const impossible =
    usedInFeatures > 0
      ? `Used in constraints of ${usedIn(usedInFeatures, usedInProjects)}. Open "Where it is used" and remove those constraints first.`
      : undefined;
  return {
    of: name,
    actions: [
      editAction(() => onOpen('edit'), { needs: needs.update, place }),
      { label: 'Where it is used', icon: <IconListSearch size={16} />, run: () => onOpen('usage') },
      deleteAction(() => onOpen('remove'), { needs: needs.remove, place, impossible }),
    ],
  };
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
