import { Card, Grid, Group, MultiSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConstraintBuilder } from '../../entities/constraints/constraint-builder.tsx';
import type { ContextField } from '../../entities/constraints/context-queries.ts';
import { ParameterInputs } from '../../entities/strategies/parameter-inputs.tsx';
import { RolloutInputs } from '../../entities/strategies/rollout-inputs.tsx';
import { type StrategyType, titleOf } from '../../entities/strategies/strategy-queries.ts';
import { FormError } from '../../ui/form-error.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';
import { VariantsEditor } from '../variants/index.ts';
import type { StrategyDraft } from './draft.ts';

export interface StrategyKnowledge {
  readonly definitions: readonly StrategyType[];
  readonly segments: readonly { readonly id: number; readonly name: string; readonly project: string | null }[];
  readonly fields: readonly ContextField[];
}

interface Props {
  readonly draft: StrategyDraft;
  /** Whether the strategy is new. The type can be selected only for a new strategy. */
  readonly isNew: boolean;
  readonly known: StrategyKnowledge;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (draft: StrategyDraft) => void;
}

/** The form of a strategy: its type, targeting and variants. */
export function StrategyForm({ draft, isNew, known, problems, onChange }: Props) {
  return (
    <Stack gap="lg">
      <Section title="General">
        <General draft={draft} isNew={isNew} known={known} problems={problems} onChange={onChange} />
      </Section>
      <Section title="Targeting" description="Users must match all segments and constraints.">
        <SegmentsInput draft={draft} known={known} problem={problems.segments} onChange={onChange} />
        <FormError>{problems.constraints}</FormError>
        <ConstraintBuilder
          constraints={draft.constraints}
          fields={known.fields}
          problems={problems}
          onChange={(constraints) => onChange({ ...draft, constraints })}
        />
      </Section>
      <Section
        title="Variants"
        description="Different values for users who get the flag, for example for an experiment."
      >
        <VariantsEditor
          variants={draft.variants}
          problems={problems}
          onChange={(variants) => onChange({ ...draft, variants })}
        />
      </Section>
    </Stack>
  );
}

function Section({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly children: ReactNode;
}) {
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Stack gap="md">
        <div>
          <SectionTitle>{title}</SectionTitle>
          {description !== undefined && <Muted>{description}</Muted>}
        </div>
        {children}
      </Stack>
    </Card>
  );
}

function General({ draft, isNew, known, problems, onChange }: Props) {
  const definition = known.definitions.find(({ name }) => name === draft.name);
  const setParameter = (name: string, value: string) =>
    onChange({ ...draft, parameters: { ...draft.parameters, [name]: value } });
  return (
    <>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <KindInput draft={draft} isNew={isNew} known={known} problem={problems.name} onChange={onChange} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            label="Title"
            description="Shown to people only."
            inputWrapperOrder={below}
            placeholder="Half of the Benelux"
            value={draft.title}
            onChange={({ currentTarget }) => onChange({ ...draft, title: currentTarget.value })}
            error={problems.title}
            autoComplete="off"
          />
        </Grid.Col>
      </Grid>
      {draft.name === 'flexibleRollout' ? (
        <RolloutInputs values={draft.parameters} fields={known.fields} problems={problems} onChange={setParameter} />
      ) : (
        <ParameterInputs
          parameters={definition?.parameters ?? []}
          values={draft.parameters}
          problems={problems}
          onChange={setParameter}
        />
      )}
      <Group>
        <Switch
          label="Enabled"
          description="A disabled strategy is kept but not evaluated."
          checked={!draft.disabled}
          onChange={({ currentTarget }) => onChange({ ...draft, disabled: !currentTarget.checked })}
          error={problems.disabled}
        />
      </Group>
    </>
  );
}

const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

interface KindProps extends Omit<Props, 'problems'> {
  readonly problem: string | undefined;
}

/** Selects the strategy type. It cannot be changed later, because the parameters would not fit. */
function KindInput({ draft, isNew, known, problem, onChange }: KindProps) {
  const offered = known.definitions.filter(({ name, deprecated }) => !deprecated || name === draft.name);
  const common = {
    label: 'Strategy',
    description: known.definitions.find(({ name }) => name === draft.name)?.description,
    inputWrapperOrder: below,
  };
  if (!isNew) return <TextInput {...common} value={titleOf(draft.name, known.definitions)} readOnly variant="filled" />;
  return (
    <Select
      {...common}
      data={offered.map(({ name }) => ({ value: name, label: titleOf(name, known.definitions) }))}
      value={draft.name}
      onChange={(name) => onChange({ ...draft, name: name ?? draft.name })}
      error={problem}
      allowDeselect={false}
    />
  );
}

interface SegmentsProps {
  readonly draft: StrategyDraft;
  readonly known: StrategyKnowledge;
  readonly problem: string | undefined;
  readonly onChange: (draft: StrategyDraft) => void;
}

function SegmentsInput({ draft, known, problem, onChange }: SegmentsProps) {
  return (
    <MultiSelect
      label="Segments"
      description="Constraints that strategies share."
      placeholder={draft.segments.length > 0 ? '' : 'Everyone'}
      data={known.segments.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={draft.segments.map(String)}
      onChange={(ids) => onChange({ ...draft, segments: ids.map(Number) })}
      error={problem}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all segments' }}
      nothingFoundMessage="No matches"
    />
  );
}
