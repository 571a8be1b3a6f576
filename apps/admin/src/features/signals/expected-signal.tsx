import { NumberInput, Stack, Text } from '@mantine/core';
import { FiltersEditor } from '../../entities/payload-filters/filters-editor.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { pathsOf } from './payload-paths.ts';
import type { EndpointValuesForm } from './use-endpoint-form.ts';

interface Props {
  readonly form: EndpointValuesForm;
  /** The newest signal; null or undefined when there is none. */
  readonly payload: unknown;
}

/** Edits within how many minutes an endpoint expects a signal, and which one. */
export function ExpectedSignal({ form, payload }: Props) {
  const { expectedMinutes, expectedFilters } = form.values;
  const paths = pathsOf(payload).flatMap(({ path, isList }) => (isList ? [] : [path]));
  const isAtFilter = Object.keys(form.errors).some((path) => path.startsWith('expectedFilters.'));
  return (
    <>
      <NumberInput
        label="Expects a signal every … minutes"
        description="When none comes in this time, the endpoint is silent: an event tells of it, and Now shows it. For a sender that repeats itself, such as the Watchdog alert of Prometheus."
        placeholder="Expects none"
        min={1}
        max={1440}
        allowDecimal={false}
        {...form.getInputProps('expectedMinutes')}
      />
      {expectedMinutes !== '' && (
        <Stack gap="xs" component="fieldset" style={{ border: 0, margin: 0, padding: 0 }}>
          <Text size="sm" fw={500} component="legend">
            Expected signal
          </Text>
          <FiltersEditor
            filters={expectedFilters}
            field="expectedFilters"
            withoutFilters="Without filters, every signal counts. Add filters when the endpoint also receives other signals."
            paths={paths}
            problems={form.errors}
            onChange={(next) => form.setFieldValue('expectedFilters', next)}
          />
          {!isAtFilter && typeof form.errors.expectedFilters === 'string' && (
            <FormError>{form.errors.expectedFilters}</FormError>
          )}
        </Stack>
      )}
    </>
  );
}
