import { Anchor, Badge, ColorSwatch, Group } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { Hint, RowName } from '../../ui/text.tsx';
import { changedByTags, type Tag, type TagType, tagsQuery, tagTypesQuery } from './tag-queries.ts';
import { TagTypeForm } from './tag-type-form.tsx';
import { TagsOfType } from './tags-of-type.tsx';

/** The panel or dialog over the table. */
type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'tags' | 'remove'; readonly type: TagType };

/** The tag types and their tags. */
export function TagTypesPage() {
  const types = useQuery(tagTypesQuery);
  const tags = useQuery(tagsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={titleOf('/tag-types')}
      description="Tags group flags, for example by team or product area."
      actions={
        <NewButton needs="CREATE_TAG_TYPE" onClick={() => setOpen({ kind: 'new' })}>
          New tag type
        </NewButton>
      }
    >
      <Listing
        query={types}
        rows={types.data}
        rowKey={({ name }) => name}
        skeletonRows={3}
        empty={
          <EmptyState title="No tag types yet">
            Create one for each way to group flags, such as team or area.
          </EmptyState>
        }
        columns={columnsOf(tags.data ?? [], (type) => setOpen({ kind: 'tags', type }))}
        menu={(type) => ({
          of: type.name,
          actions: [
            { label: 'Tags', icon: <IconTags size={16} />, run: () => setOpen({ kind: 'tags', type }) },
            editAction(() => setOpen({ kind: 'edit', type }), { needs: 'UPDATE_TAG_TYPE' }),
            deleteAction(() => setOpen({ kind: 'remove', type }), { needs: 'DELETE_TAG_TYPE' }),
          ],
        })}
      />
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
          Its tags are deleted too, and removed from all flags.
        </Confirm>
      )}
    </Page>
  );
}

function columnsOf(tags: readonly Tag[], onOpen: (type: TagType) => void): readonly Column<TagType>[] {
  const ofType = (type: TagType) => tags.filter((tag) => tag.type === type.name);
  const countOf = (type: TagType) => {
    const { length } = ofType(type);
    return (
      <Anchor component="button" type="button" size="sm" onClick={() => onOpen(type)}>
        {length === 1 ? '1 tag' : `${length} tags`}
      </Anchor>
    );
  };
  return [
    { header: 'Name', cell: (type) => <TypeName type={type} /> },
    {
      header: 'Tags',
      visibleFrom: 'md',
      cell: (type) => (
        <Group gap={6}>
          {ofType(type)
            .slice(0, 6)
            .map((tag) => (
              <Badge key={tag.value} variant="default" fw={500}>
                {tag.value}
              </Badge>
            ))}
          {countOf(type)}
        </Group>
      ),
    },
    { header: 'Tags', hiddenFrom: 'md', cell: countOf },
  ];
}

function TypeName({ type: { name, description, color } }: { readonly type: TagType }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <ColorSwatch color={color ?? '#59616a'} size={14} withShadow={false} aria-hidden />
        <RowName>{name}</RowName>
      </Group>
      <Hint pl={24}>{description}</Hint>
    </>
  );
}
