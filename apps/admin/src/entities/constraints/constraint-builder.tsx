import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { problemAt } from '../../lib/error-messages.ts';
import { Hint } from '../../ui/text.tsx';
import { ConstraintRow } from './constraint-row.tsx';
import type { ContextField } from './context-queries.ts';
import { type ConstraintDraft, newConstraint } from './draft.ts';

interface Props {
  readonly constraints: readonly ConstraintDraft[];
  /** The context fields to choose from. */
  readonly fields: readonly ContextField[];
  /** The errors, by path: `constraints.0.value`, `constraints.2.values.1`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (constraints: readonly ConstraintDraft[]) => void;
}

/** Edits a list of constraints. All of them must match. */
export function ConstraintBuilder({ constraints, fields, problems, onChange }: Props) {
  const replace = (key: string, next: ConstraintDraft) =>
    onChange(constraints.map((constraint) => (constraint.key === key ? next : constraint)));
  return (
    <Stack gap="sm">
      {constraints.map((constraint, index) => (
        <Stack key={constraint.key} gap="sm">
          {index > 0 && (
            <Hint fw={600} tt="uppercase">
              and
            </Hint>
          )}
          <ConstraintRow
            constraint={constraint}
            place={index + 1}
            fields={fields}
            problemAt={(path) => problemAt(problems, `constraints.${index}.${path}`)}
            onChange={(next) => replace(constraint.key, next)}
            onRemove={() => onChange(constraints.filter(({ key }) => key !== constraint.key))}
          />
        </Stack>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...constraints, newConstraint()])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add constraint
      </Button>
    </Stack>
  );
}
