import { Autocomplete, Button, Card, Checkbox, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { filterOperatorNames, isOperator, takesList } from '@yardarm/evaluation/operators';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { Muted } from '../../ui/text.tsx';
import { type ConstraintDraft, newConstraint } from '../constraints/draft.ts';
import { operatorChoices, operatorWords, showsIgnoringCase } from '../constraints/operators.ts';
import { type FilterField, type FilterProblems, filterProblems } from './filter-problems.ts';

const choices = operatorChoices(filterOperatorNames);

interface Props {
  readonly filters: readonly ConstraintDraft[];
  /** The field that holds the filters. */
  readonly field?: FilterField;
  /** Says which signals match without a filter. */
  readonly withoutFilters?: string;
  /** Suggested paths, from the latest payloads. */
  readonly paths: readonly string[];
  /** The errors, by path: `match.payload.status.values`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (filters: readonly ConstraintDraft[]) => void;
}

/** Edits filters on payloads. All filters must match. */
export function FiltersEditor({
  filters,
  field = 'match.payload',
  withoutFilters = 'Without filters, every signal of the source matches.',
  paths,
  problems,
  onChange,
}: Props) {
  return (
    <Stack gap="sm">
      {filters.length === 0 && <Muted>{withoutFilters}</Muted>}
      {filters.map((filter, index) => (
        <Filter
          key={filter.key}
          filter={filter}
          place={index + 1}
          paths={paths}
          problems={filterProblems(filter.contextName.trim(), problems, field)}
          onChange={(next) => onChange(filters.map((present) => (present.key === filter.key ? next : present)))}
          onRemove={() => onChange(filters.filter(({ key }) => key !== filter.key))}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...filters, newConstraint()])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add filter
      </Button>
    </Stack>
  );
}

interface FilterProps {
  readonly filter: ConstraintDraft;
  readonly place: number;
  readonly paths: readonly string[];
  readonly problems: FilterProblems;
  readonly onChange: (filter: ConstraintDraft) => void;
  readonly onRemove: () => void;
}

function Filter({ filter, place, paths, problems, onChange, onRemove }: FilterProps) {
  const { contextName, operator, values, value, inverted, caseInsensitive } = filter;
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Filter ${place}`}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <Autocomplete
            flex={1}
            miw={160}
            label="Parameter"
            placeholder="alert.status"
            data={[...paths]}
            value={contextName}
            onChange={(path) => onChange({ ...filter, contextName: path })}
            error={problems.path}
          />
          <Select
            flex={1}
            miw={160}
            label="Operator"
            data={choices}
            value={operator}
            onChange={(name) => {
              if (name !== null && isOperator(name)) onChange({ ...filter, operator: name });
            }}
            allowDeselect={false}
            error={problems.operator}
          />
        </Group>
        {takesList(operator) ? (
          <TagsInput
            label="Values"
            description="Press Enter or comma after each value."
            value={[...values]}
            onChange={(next) => onChange({ ...filter, values: next })}
            error={problems.values}
          />
        ) : (
          <TextInput
            label="Value"
            value={value}
            onChange={({ currentTarget }) => onChange({ ...filter, value: currentTarget.value })}
            error={problems.value}
          />
        )}
        <Group justify="space-between">
          <Group gap="md">
            <Checkbox
              label={`Inverted: ${operatorWords[operator].opposite}`}
              checked={inverted}
              onChange={({ currentTarget }) => onChange({ ...filter, inverted: currentTarget.checked })}
            />
            {showsIgnoringCase(operator, caseInsensitive) && (
              <Checkbox
                label="Case-insensitive"
                checked={caseInsensitive}
                onChange={({ currentTarget }) => onChange({ ...filter, caseInsensitive: currentTarget.checked })}
              />
            )}
          </Group>
          <RemoveButton onClick={onRemove} label={`Remove filter ${place}`} />
        </Group>
      </Stack>
    </Card>
  );
}
