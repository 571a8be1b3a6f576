import { NumberInput, Select, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Environment } from '../../entities/environments/environment-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FixedName } from '../../ui/fixed-name.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';

const types = ['development', 'test', 'preproduction', 'production'];

/** Returns the usual environment types, and `type` if it is not one of them. */
export function typesWith(type: string): string[] {
  return types.includes(type) ? types : [...types, type];
}

/** Returns the error of a name, by the rule of the contract; null for a valid name. */
export function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Enter a name.';
  if (!/^[A-Za-z0-9_~.-]{1,100}$/.test(name)) return 'Use only letters, digits and _~.-, at most 100 characters.';
  return taken.includes(name) ? 'An environment with this name exists.' : null;
}

interface Edited {
  readonly type: string;
  readonly requiredApprovals?: number | string | null | undefined;
}

function bodyOf({ type, requiredApprovals }: Edited) {
  return { type, requiredApprovals: typeof requiredApprovals === 'number' ? requiredApprovals : null };
}

interface Props {
  /** The environment to edit; absent to create a new environment. */
  readonly environment?: Environment;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Creates or edits an environment. */
export function EnvironmentForm({ environment, taken, onClose }: Props) {
  const form = useForm({
    validateInputOnChange: true,
    initialValues: {
      name: environment?.name ?? '',
      type: environment?.type ?? 'development',
      requiredApprovals: environment?.requiredApprovals ?? ('' as number | string),
      enabled: true,
    },
    validate: { name: (name) => (environment === undefined ? nameProblem(name, taken) : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const { name, enabled } = values;
      const edited = bodyOf(values);
      if (environment === undefined) return api('POST /api/admin/environments', { body: { name, enabled, ...edited } });
      const params = { name: environment.name };
      const loaded = bodyOf(form.getInitialValues());
      const current = bodyOf(await api('GET /api/admin/environments/:name', { params }));
      const body = editedFields({ loaded, edited, current });
      return api('PUT /api/admin/environments/update/:name', { params, body });
    },
    changes: ['GET /api/admin/environments'],
    notice: environment === undefined ? 'Environment created' : 'Environment saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={environment === undefined ? 'New environment' : `Edit ${environment.name}`}
      save={environment === undefined ? 'Create environment' : 'Save environment'}
      saving={saving}
      onClose={onClose}
    >
      <FixedName
        label="Environment name"
        description="SDKs and API tokens use this name."
        isNew={environment === undefined}
        {...form.getInputProps('name')}
      />
      <Select
        label="Environment type"
        data={typesWith(form.values.type)}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
      <NumberInput
        label="Required approvals"
        description="The number of approvals that a change request needs. 1 when empty."
        min={1}
        max={100}
        allowDecimal={false}
        {...form.getInputProps('requiredApprovals')}
      />
      {environment === undefined && (
        <Switch
          label="Add to new projects"
          description="Existing projects add it in their settings."
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      )}
    </FormDrawer>
  );
}
