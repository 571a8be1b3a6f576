import { Badge, Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { changedByFlags, type Flag } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SideCard } from '../../ui/side-card.tsx';
import { Muted } from '../../ui/text.tsx';
import { TagInput, tagOf, textOf } from './tag-input.tsx';

/** The tags of a flag. */
export function FlagTags({ flag }: { readonly flag: Flag }) {
  const [editing, setEditing] = useState(false);
  return (
    <SideCard
      title="Tags"
      action={
        <Permitted needs="UPDATE_FEATURE" place={{ project: flag.project }}>
          <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)} aria-label="Edit tags">
            Edit
          </Button>
        </Permitted>
      }
    >
      {flag.tags.length === 0 ? (
        <Muted>No tags yet. Use tags to group flags by team or topic.</Muted>
      ) : (
        <Group gap={6}>
          {flag.tags.map((tag) => (
            <Badge key={textOf(tag)} variant="default" fw={500}>
              {textOf(tag)}
            </Badge>
          ))}
        </Group>
      )}
      {editing && <EditTags flag={flag} onClose={() => setEditing(false)} />}
    </SideCard>
  );
}

function EditTags({ flag, onClose }: { readonly flag: Flag; readonly onClose: () => void }) {
  // The tags when the dialog opens: only changes of these are sent, so that tags which another user adds meanwhile are
  // kept.
  const [before] = useState(() => flag.tags.map(textOf));
  const form = useForm({ initialValues: { tags: before } });
  const saving = useSaving(form, {
    save: ({ tags }) =>
      api('PUT /api/admin/features/:featureName/tags', {
        params: { featureName: flag.name },
        body: {
          addedTags: tags.filter((tag) => !before.includes(tag)).map(tagOf),
          removedTags: before.filter((tag) => !tags.includes(tag)).map(tagOf),
        },
      }),
    changes: changedByFlags,
    onSaved: onClose,
    nameOf: () => 'tags',
  });
  return (
    <FormDialog title={`Tags of ${flag.name}`} save="Save tags" saving={saving} onClose={onClose}>
      <TagInput label="Tags" {...form.getInputProps('tags')} value={form.values.tags} />
    </FormDialog>
  );
}
