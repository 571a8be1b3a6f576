import { Switch, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type ContextField,
  type ContextFieldRoutes,
  changedByContextFields,
} from '../../entities/context-fields/context-field-routes.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FixedName } from '../../ui/fixed-name.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { type LegalValue, LegalValues } from './legal-values.tsx';

interface Props {
  /** The field to edit; absent to create a new field. */
  readonly field?: ContextField;
  readonly routes: ContextFieldRoutes;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Creates or edits a context field. */
export function ContextFieldForm({ field, routes, taken, onClose }: Props) {
  const form = useForm({
    validateInputOnChange: ['name'],
    initialValues: valuesOf(field),
    validate: { name: (name) => (field === undefined ? nameProblem(name, taken) : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      if (field === undefined) return routes.create({ name: values.name, ...edited });
      const loaded = bodyOf(form.getInitialValues());
      const current = bodyOf(valuesOf(await routes.get(field.name)));
      return routes.update(field.name, editedFields({ loaded, edited, current }));
    },
    changes: changedByContextFields,
    notice: field === undefined ? 'Context field created' : 'Context field saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={field === undefined ? 'New context field' : `Edit ${field.name}`}
      save={field === undefined ? 'Create context field' : 'Save context field'}
      saving={saving}
      onClose={onClose}
    >
      <FixedName
        label="Context name"
        description="The name that applications send."
        isNew={field === undefined}
        {...form.getInputProps('name')}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <LegalValues
        values={form.values.legalValues}
        error={form.errors.legalValues}
        onChange={(legalValues) => form.setFieldValue('legalValues', legalValues)}
      />
      <Switch
        label="Custom stickiness"
        description="Gradual rollouts can use this field: users with the same value get the same result. SDKs must support it."
        {...form.getInputProps('stickiness', { type: 'checkbox' })}
      />
    </FormDrawer>
  );
}

function valuesOf(field: ContextField | undefined) {
  return {
    name: field?.name ?? '',
    description: field?.description ?? '',
    stickiness: field?.stickiness ?? false,
    legalValues: (field?.legalValues ?? []) as readonly LegalValue[],
  };
}

function bodyOf({ description, stickiness, legalValues }: ReturnType<typeof valuesOf>) {
  return { description, stickiness, legalValues: [...legalValues] };
}

/** Returns the error of a name, by the rule of the contract; null for a valid name. */
function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Enter a name.';
  if (!/^[A-Za-z0-9_~.-]{1,100}$/.test(name)) return 'Use only letters, digits and _~.-, at most 100 characters.';
  return taken.includes(name) ? 'A context field with this name exists.' : null;
}
