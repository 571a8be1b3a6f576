import { useForm } from '@mantine/form';
import { changedByFlags } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { notifyFlagsChanged } from './switch-flags.tsx';
import { TagInput, tagOf } from './tag-input.tsx';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const none: readonly string[] = [];

/** Adds tags to flags and removes others. */
export function TagFlags({ projectId, names, onClose, onDone }: Props) {
  const form = useForm({
    initialValues: { added: none, removed: none },
    validate: {
      added: (added, { removed }) => (added.length + removed.length === 0 ? 'Enter a tag to add or remove.' : null),
    },
  });
  const saving = useSaving(form, {
    save: ({ added, removed }) =>
      api('PUT /api/admin/projects/:projectId/tags', {
        params: { projectId },
        body: { features: [...names], tags: { addedTags: added.map(tagOf), removedTags: removed.map(tagOf) } },
      }),
    changes: changedByFlags,
    onSaved: () => {
      notifyFlagsChanged(names.length);
      onClose();
      onDone();
    },
    nameOf: (path) => path.replace('tags.addedTags', 'added').replace('tags.removedTags', 'removed'),
  });
  return (
    <FormDialog
      title={`Tags of ${names.length === 1 ? names[0] : `${names.length} flags`}`}
      save="Save tags"
      saving={saving}
      onClose={onClose}
    >
      <TagInput label="Add" {...form.getInputProps('added')} value={form.values.added} />
      <TagInput label="Remove" {...form.getInputProps('removed')} value={form.values.removed} />
    </FormDialog>
  );
}
