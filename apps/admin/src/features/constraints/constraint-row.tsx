import { ActionIcon, Autocomplete, Card, Checkbox, Grid, Group, Select, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { ConstraintValue } from './constraint-value.tsx';
import type { ContextField } from './context-queries.ts';
import type { ConstraintDraft } from './draft.ts';
import { isOperator, operatorChoices, operators } from './operators.ts';

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
  const facts = operators[constraint.operator];
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
            onChange={(contextName) => onChange({ ...constraint, contextName })}
            description={field?.description ?? undefined}
            error={problemAt('contextName')}
            required
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label="Operator"
            data={operatorChoices}
            value={constraint.operator}
            onChange={(name) => {
              if (name !== null && isOperator(name)) onChange({ ...constraint, operator: name });
            }}
            error={problemAt('operator')}
            allowDeselect={false}
            searchable
            required
          />
        </Grid.Col>
        <Grid.Col span={12}>
          <ConstraintValue
            constraint={constraint}
            field={field}
            problem={problemAt(facts.kind === 'list' || facts.kind === 'networks' ? 'values' : 'value')}
            onChange={onChange}
          />
        </Grid.Col>
        <Grid.Col span={12}>
          <Group justify="space-between">
            <Switches constraint={constraint} onChange={onChange} problem={problemAt('inverted')} />
            <Tooltip label="Remove this constraint">
              <ActionIcon variant="subtle" color="red" onClick={onRemove} aria-label={`Remove constraint ${place}`}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
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
  const facts = operators[constraint.operator];
  return (
    <Group gap="lg">
      {facts.notInvertible !== true && (
        <Checkbox
          label={`Inverted: ${facts.opposite}`}
          checked={constraint.inverted}
          onChange={({ currentTarget }) => onChange({ ...constraint, inverted: currentTarget.checked })}
          error={problem}
        />
      )}
      {facts.takesCase === true && (
        <Checkbox
          label="Case-insensitive"
          checked={constraint.caseInsensitive}
          onChange={({ currentTarget }) => onChange({ ...constraint, caseInsensitive: currentTarget.checked })}
        />
      )}
    </Group>
  );
}
