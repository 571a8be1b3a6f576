import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FixedName } from '../../ui/fixed-name.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { ColorField } from './color-field.tsx';
import { changedByTags, type TagType } from './tag-queries.ts';

interface Props {
  /** The tag type to edit; absent to create a new tag type. */
  readonly type?: TagType;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Creates or edits a tag type. */
export function TagTypeForm({ type, taken, onClose }: Props) {
  const form = useForm({
    validateInputOnChange: ['name'],
    initialValues: valuesOf(type),
    validate: { name: (name) => (type === undefined ? nameProblem(name, taken) : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      if (type === undefined) await api('POST /api/admin/tag-types', { body: { name: values.name, ...edited } });
      else {
        const params = { name: type.name };
        const loaded = bodyOf(form.getInitialValues());
        const current = bodyOf(valuesOf((await api('GET /api/admin/tag-types/:name', { params })).tagType));
        await api('PUT /api/admin/tag-types/:name', { params, body: editedFields({ loaded, edited, current }) });
      }
    },
    changes: changedByTags,
    notice: type === undefined ? 'Tag type created' : 'Tag type saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={type === undefined ? 'New tag type' : `Edit ${type.name}`}
      save={type === undefined ? 'Create tag type' : 'Save tag type'}
      saving={saving}
      onClose={onClose}
    >
      <FixedName label="Tag type name" isNew={type === undefined} {...form.getInputProps('name')} />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <ColorField placeholder="None" {...form.getInputProps('color')} />
    </FormDrawer>
  );
}

function valuesOf(type: TagType | undefined) {
  return { name: type?.name ?? '', description: type?.description ?? '', color: type?.color ?? '' };
}

function bodyOf({ description, color }: ReturnType<typeof valuesOf>) {
  return { description, color: color === '' ? null : color };
}

/** Returns the error of a name, by the rule of the contract; null for a valid name. */
function nameProblem(name: string, taken: readonly string[]): string | null {
  if (!/^[A-Za-z0-9_~.-]{2,50}$/.test(name)) return 'Use 2 to 50 letters, digits or _~.- characters.';
  return taken.includes(name) ? 'A tag type with this name exists.' : null;
}
