import { ActionIcon } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Expiry, Seen } from './expiry.tsx';
import type { Column, ListingProps } from './listing.tsx';
import { Listing } from './listing.tsx';
import { RelativeTime } from './relative-time.tsx';
import { RemoveButton } from './remove-button.tsx';
import { RowName } from './text.tsx';

interface Token {
  readonly id: number;
  readonly createdAt: string;
  /** The time at which the token expires; null for never. Absent for kinds of tokens that cannot expire. */
  readonly expiresAt?: string | null;
  readonly seenAt?: string | null;
}

interface Props<T extends Token> extends Pick<ListingProps<T>, 'query' | 'empty' | 'filtered' | 'menu'> {
  readonly tokens: readonly T[] | undefined;
  /** The header of the first column: "Name", "Description". */
  readonly nameHeader: string;
  readonly nameOf: (token: T) => string;
  /** Returns a detail that is shown below the name. */
  readonly detailOf?: (token: T) => ReactNode;
  /** Columns between the name and the dates. */
  readonly columns?: readonly Column<T>[];
  /** Shows a button that edits the token. */
  readonly onEdit?: (token: T) => void;
  /** Shows a button that deletes the token. */
  readonly onDelete?: (token: T) => void;
}

/** The table of tokens of every kind: API tokens, personal tokens and signal tokens. */
export function TokenTable<T extends Token>(props: Props<T>) {
  const { tokens, nameHeader, nameOf, detailOf, columns = [], onEdit, onDelete, ...listing } = props;
  const expire = tokens?.some(({ expiresAt }) => expiresAt !== undefined) === true;
  return (
    <Listing
      {...listing}
      rows={tokens}
      rowKey={({ id }) => id}
      spacing={columns.length > 0 ? 'sm' : 'xs'}
      minWidth={280}
      columns={[
        {
          header: nameHeader,
          breaks: 'anywhere',
          cell: (token) =>
            detailOf === undefined ? nameOf(token) : <TokenName name={nameOf(token)} detail={detailOf(token)} />,
        },
        ...columns,
        ...(expire ? dateColumns<T>(columns.length > 0) : [createdColumn<T>({})]),
        ...(onEdit === undefined ? [] : [editColumn(nameOf, onEdit)]),
        ...(onDelete === undefined ? [] : [deleteColumn(nameOf, onDelete)]),
      ]}
    />
  );
}

function TokenName({ name, detail }: { readonly name: string; readonly detail: ReactNode }) {
  return (
    <>
      <RowName>{name}</RowName>
      {detail}
    </>
  );
}

function createdColumn<T extends Token>(layout: Pick<Column<T>, 'visibleFrom'>): Column<T> {
  return { header: 'Created', ...layout, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> };
}

/**
 * Returns the columns with the dates of tokens that can expire. Beside other columns, they need a wider screen to be
 * visible.
 */
function dateColumns<T extends Token>(hasOwnColumns: boolean): Column<T>[] {
  return [
    {
      header: 'Expires',
      ...(hasOwnColumns ? { visibleFrom: 'sm' } : {}),
      cell: ({ expiresAt }) => <Expiry at={expiresAt ?? null} />,
    },
    createdColumn<T>({ visibleFrom: hasOwnColumns ? 'lg' : 'sm' }),
    {
      header: 'Last used',
      visibleFrom: hasOwnColumns ? 'md' : 'sm',
      cell: ({ seenAt }) => <Seen at={seenAt ?? null} />,
    },
  ];
}

function editColumn<T extends Token>(nameOf: (token: T) => string, onEdit: (token: T) => void): Column<T> {
  return {
    label: 'Edit',
    width: 48,
    cell: (token) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => onEdit(token)}
        aria-label={`Edit the token ${nameOf(token)}`}
      >
        <IconPencil size={16} />
      </ActionIcon>
    ),
  };
}

function deleteColumn<T extends Token>(nameOf: (token: T) => string, onDelete: (token: T) => void): Column<T> {
  return {
    label: 'Actions',
    width: 48,
    cell: (token) => (
      <RemoveButton color="red" onClick={() => onDelete(token)} label={`Delete the token ${nameOf(token)}`} />
    ),
  };
}
