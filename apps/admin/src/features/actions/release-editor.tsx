import { Fieldset, Stack, Switch } from '@mantine/core';
import { FormError } from '../../ui/form-drawer.tsx';
import { newConstraint } from '../constraints/draft.ts';
import { resolvedFilters } from './action-draft.ts';
import { FiltersEditor } from './filters-editor.tsx';
import type { ActionSetForm } from './use-action-set-form.ts';

interface Props {
  readonly form: ActionSetForm;
  /** The paths that filters may use. */
  readonly paths: readonly string[];
}

/** Edits the filters of the signals that release what a set holds. */
export function ReleaseEditor({ form, paths }: Props) {
  const { filters, releaseFilters, forEach } = form.values;
  const suggestion = filters.length === 0 ? [newConstraint()] : resolvedFilters(filters);
  const each = forEach.trim() === '' ? 'a signal' : 'an element';
  return (
    <Fieldset legend="Release when it is over">
      <Stack gap="sm">
        <Switch
          label="Release held flags with a later signal"
          description="Each alert releases only what it holds itself. Without this, flags stay held until their minutes are over, or until another action or a person releases them."
          checked={releaseFilters !== null}
          onChange={({ currentTarget }) =>
            form.setFieldValue('releaseFilters', currentTarget.checked ? suggestion : null)
          }
        />
        {releaseFilters !== null && (
          <>
            <FiltersEditor
              filters={releaseFilters}
              field="match.release"
              withoutFilters={`Add a filter that says when ${each} means that the alert is over.`}
              paths={paths}
              problems={form.errors}
              onChange={(next) => form.setFieldValue('releaseFilters', next)}
            />
            <FormError>{textOf(form.errors.releaseFilters ?? form.errors['match.release'])}</FormError>
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);
