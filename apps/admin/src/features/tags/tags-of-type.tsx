import { Button, ColorSwatch, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { ColorField } from './color-field.tsx';
import { changedByTags, type Tag, type TagType, tagsQuery } from './tag-queries.ts';

interface Props {
  readonly type: TagType;
  readonly onClose: () => void;
}

/** Lists the tags of a type, with their colors. */
export function TagsOfType({ type, onClose }: Props) {
  const tags = useQuery(tagsQuery);
  const [removing, setRemoving] = useState<Tag>();
  return (
    <SidePanel onClose={onClose} size={560} title={`Tags: ${type.name}`}>
      <Stack>
        <NewTag type={type.name} />
        <Listing
          query={tags}
          rows={tags.data?.filter((tag) => tag.type === type.name)}
          rowKey={({ value }) => value}
          empty={<EmptyState title="No tags yet">Add one here, or on the page of a flag.</EmptyState>}
          spacing={7}
          minWidth={280}
          columns={[
            {
              cell: ({ color, value }) => (
                <Group gap="xs" wrap="nowrap">
                  <ColorSwatch color={color ?? type.color ?? '#59616a'} size={14} aria-hidden />
                  <Text size="sm">{value}</Text>
                </Group>
              ),
            },
            { width: 48, cell: (tag) => <DeleteButton tag={tag} onClick={() => setRemoving(tag)} /> },
          ]}
        />
      </Stack>
      {removing !== undefined && (
        <Confirm
          title="Delete tag?"
          action="Delete tag"
          run={() =>
            api('DELETE /api/admin/tags/:type/:value', { params: { type: removing.type, value: removing.value } })
          }
          changes={changedByTags}
          onClose={() => setRemoving(undefined)}
        >
          <b>{removing.value}</b> will be removed from all flags.
        </Confirm>
      )}
    </SidePanel>
  );
}

function DeleteButton({ tag: { value }, onClick }: { readonly tag: Tag; readonly onClick: () => void }) {
  return (
    <Permitted needs={['UPDATE_FEATURE', 'DELETE_TAG_TYPE']}>
      <RemoveButton onClick={onClick} label={`Delete the tag ${value}`} />
    </Permitted>
  );
}

function NewTag({ type }: { readonly type: string }) {
  const form = useForm({
    initialValues: { value: '', color: '' },
    validate: {
      value: (value) => (value.trim().length < 2 || value.trim().length > 50 ? 'Use 2 to 50 characters.' : null),
    },
  });
  const saving = useSaving(form, {
    save: ({ value, color }) =>
      api('POST /api/admin/tags', { body: { type, value, ...(color === '' ? {} : { color }) } }),
    changes: changedByTags,
    onSaved: () => form.reset(),
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="xs">
        <Group align="flex-start" gap="xs">
          <TextInput flex={1} miw={140} label="New tag" autoComplete="off" {...form.getInputProps('value')} />
          <ColorField w={160} placeholder="Color of the type" {...form.getInputProps('color')} />
          <Button type="submit" variant="default" mt={25} loading={saving.pending}>
            Add tag
          </Button>
        </Group>
        <FormError>{saving.formError}</FormError>
      </Stack>
    </form>
  );
}
