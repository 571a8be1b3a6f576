import { Anchor, Badge, ColorSwatch, Group, Table, Text } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { changedByTags, type Tag, type TagType, tagsQuery, tagTypesQuery } from './tag-queries.ts';
import { TagTypeForm } from './tag-type-form.tsx';
import { TagsOfType } from './tags-of-type.tsx';

/** What lies over the table. */
type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'tags' | 'remove'; readonly type: TagType };

/** The types of tags, and the tags of each. */
export function TagTypesPage() {
  const types = useQuery(tagTypesQuery);
  const tags = useQuery(tagsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={titleOf('/tag-types')}
      description="Flags bear tags, by which they are found: who looks after them, or what part of the product they are in."
      actions={
        <NewButton needs="CREATE_TAG_TYPE" onClick={() => setOpen({ kind: 'new' })}>
          New tag type
        </NewButton>
      }
    >
      <Loaded query={types} rows={3}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No tag types yet">Make one for each thing that you want to find flags by.</EmptyState>
          ) : (
            <TypeTable types={list} tags={tags.data ?? []} onOpen={(kind, type) => setOpen({ kind, type })} />
          )
        }
      </Loaded>
      {open?.kind === 'new' && <TagTypeForm taken={types.data?.map(({ name }) => name) ?? []} onClose={close} />}
      {open?.kind === 'edit' && <TagTypeForm type={open.type} taken={[]} onClose={close} />}
      {open?.kind === 'tags' && <TagsOfType type={open.type} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete tag type?"
          action="Delete tag type"
          typed={open.type.name}
          run={() => api('DELETE /api/admin/tag-types/:name', { params: { name: open.type.name } })}
          changes={changedByTags}
          onClose={close}
        >
          Its tags are gone too, and are taken off all flags.
        </Confirm>
      )}
    </Page>
  );
}

interface TableProps {
  readonly types: readonly TagType[];
  readonly tags: readonly Tag[];
  readonly onOpen: (kind: 'edit' | 'tags' | 'remove', type: TagType) => void;
}

function TypeTable({ types, tags, onOpen }: TableProps) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="md">Tags</Table.Th>
            <Table.Th hiddenFrom="md">Tags</Table.Th>
            <Table.Th w={56} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {types.map((type) => (
            <TypeRow
              key={type.name}
              type={type}
              tags={tags.filter((tag) => tag.type === type.name)}
              onOpen={(kind) => onOpen(kind, type)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly type: TagType;
  readonly tags: readonly Tag[];
  readonly onOpen: (kind: 'edit' | 'tags' | 'remove') => void;
}

function TypeRow({ type, tags, onOpen }: RowProps) {
  const { name, description, color } = type;
  const count = (
    <Anchor component="button" type="button" size="sm" onClick={() => onOpen('tags')}>
      {tags.length === 1 ? '1 tag' : `${tags.length} tags`}
    </Anchor>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <ColorSwatch color={color ?? '#59616a'} size={14} withShadow={false} aria-hidden />
          <Text fw={550} size="sm">
            {name}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" pl={24}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Group gap={6}>
          {tags.slice(0, 6).map((tag) => (
            <Badge key={tag.value} variant="default" tt="none" fw={500}>
              {tag.value}
            </Badge>
          ))}
          {count}
        </Group>
      </Table.Td>
      <Table.Td hiddenFrom="md">{count}</Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            { label: 'Tags', icon: <IconTags size={16} />, run: () => onOpen('tags') },
            editAction(() => onOpen('edit'), { needs: 'UPDATE_TAG_TYPE' }),
            deleteAction(() => onOpen('remove'), { needs: 'DELETE_TAG_TYPE' }),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}
