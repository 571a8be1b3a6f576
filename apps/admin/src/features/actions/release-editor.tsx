import { Stack, Switch } from '@mantine/core';
import { newConstraint } from '../../entities/constraints/draft.ts';
import { FiltersEditor } from '../../entities/payload-filters/filters-editor.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { resolvedFilters } from './action-draft.ts';
import type { ActionSetForm } from './use-action-set-form.ts';

interface Props {
  readonly form: ActionSetForm;
  /** The paths that filters may use. */
  readonly paths: readonly string[];
}

/** Edits the filters of the signals that release what a set holds. */
export function ReleaseEditor({ form, paths }: Props) {
  const { trigger, filters, releaseFilters, forEach } = form.values;
  const isSilence = trigger === 'silence';
  const suggestion = isSilence ? [] : filters.length === 0 ? [newConstraint()] : resolvedFilters(filters);
  const each = forEach.trim() === '' ? 'a signal' : 'an element';
  return (
    <Stack gap="sm">
      <Switch
        label={isSilence ? 'Release held flags when signals arrive again' : 'Release held flags with a later signal'}
        description={isSilence ? ofSilence : ofAlert}
        checked={releaseFilters !== null}
        onChange={({ currentTarget }) =>
          form.setFieldValue('releaseFilters', currentTarget.checked ? suggestion : null)
        }
      />
      {releaseFilters !== null && (!isSilence || releaseFilters.length > 0) && (
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
  );
}

const ofAlert =
  'Each alert releases only what it holds itself. Without this, flags stay held until their minutes are over, or until another action or a person releases them.';
const ofSilence = 'Without this, flags stay held until their minutes are over, or until a person releases them.';

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);
