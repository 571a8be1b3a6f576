import { Autocomplete, Card, Checkbox, Grid, Group, Select, Tooltip } from '@mantine/core';
import { isOperator, operators, takesList } from '@yardarm/evaluation/operators';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { ConstraintValue } from './constraint-value.tsx';
import type { ContextField } from './context-queries.ts';
import type { ConstraintDraft } from './draft.ts';
import {
  fitProblem,
  operatorChoices,
  operatorFor,
  operatorsFor,
  operatorWords,
  showsIgnoringCase,
} from './operators.ts';

interface Props {
  readonly constraint: ConstraintDraft;
  /** The position in the list, counted from 1. */
  readonly place: number;
  readonly fields: readonly ContextField[];
  readonly problemAt: (path: 'contextName' | 'operator' | 'value' | 'values' | 'inverted') => string | undefined;
  readonly onChange: (constraint: ConstraintDraft) => void;
  readonly onRemove: () => void;
}

/** Edits a constraint: its context field, operator and values. */
export function ConstraintRow({ constraint, place, fields, problemAt, onChange, onRemove }: Props) {
  const field = fields.find(({ name }) => name === constraint.contextName);
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Constraint ${place}`}>
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Autocomplete
            label="Context field"
            openOnFocus={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={fields.map(({ name }) => name)}
            value={constraint.contextName}
            onChange={(contextName) =>
              onChange({ ...constraint, contextName, operator: operatorFor(contextName, constraint.operator) })
            }
            description={field?.description ?? undefined}
            error={problemAt('contextName')}
            required
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label="Operator"
            data={operatorChoices(operatorsFor(constraint.contextName, constraint.operator))}
            value={constraint.operator}
            onChange={(name) => {
              if (name !== null && isOperator(name)) onChange({ ...constraint, operator: name });
            }}
            error={problemAt('operator') ?? fitProblem(constraint.contextName, constraint.operator)}
            allowDeselect={false}
            searchable
            required
          />
        </Grid.Col>
        <Grid.Col span={12}>
          <ConstraintValue
            constraint={constraint}
            field={field}
            problem={problemAt(takesList(constraint.operator) ? 'values' : 'value')}
            onChange={onChange}
          />
        </Grid.Col>
        <Grid.Col span={12}>
          <Group justify="space-between">
            <Switches constraint={constraint} onChange={onChange} problem={problemAt('inverted')} />
            <Tooltip label="Remove this constraint">
              <RemoveButton color="red" onClick={onRemove} label={`Remove constraint ${place}`} />
            </Tooltip>
          </Group>
        </Grid.Col>
      </Grid>
    </Card>
  );
}

function Switches({
  constraint,
  problem,
  onChange,
}: Pick<Props, 'constraint' | 'onChange'> & { readonly problem: string | undefined }) {
  const { operator } = constraint;
  return (
    <Group gap="lg">
      {operators[operator].invertible && (
        <Checkbox
          label={`Inverted: ${operatorWords[operator].opposite}`}
          checked={constraint.inverted}
          onChange={({ currentTarget }) => onChange({ ...constraint, inverted: currentTarget.checked })}
          error={problem}
        />
      )}
      {showsIgnoringCase(operator, constraint.caseInsensitive) && (
        <Checkbox
          label="Case-insensitive"
          checked={constraint.caseInsensitive}
          onChange={({ currentTarget }) => onChange({ ...constraint, caseInsensitive: currentTarget.checked })}
        />
      )}
      {constraint.looseNumber !== undefined && (
        <Checkbox
          label="Blank text counts as 0, as before version 0.10.0"
          checked={constraint.looseNumber}
          onChange={({ currentTarget }) => onChange({ ...constraint, looseNumber: currentTarget.checked })}
        />
      )}
    </Group>
  );
}
