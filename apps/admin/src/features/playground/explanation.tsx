import { Badge, Card, Code, Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react';
import { describeConstraint } from '../../entities/constraints/describe-constraint.ts';
import { Muted, Strong } from '../../ui/text.tsx';
import { HoldAlert } from '../flags/index.ts';
import type { EvaluationResult } from './evaluation-types.ts';

type EvaluatedStrategy = EvaluationResult['strategies']['data'][number];
type EvaluatedConstraint = EvaluatedStrategy['constraints'][number];

/** Explains the evaluation of a flag, down to each constraint. */
export function Explanation({ result }: { readonly result: EvaluationResult }) {
  const { context, name, projectId, isConfiguredOn, isEnabled, lease: hold, strategies, variant } = result;
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <Group gap="xs">
          <Mark holds={isEnabled} />
          <Text fw={600}>{isEnabled ? 'On' : 'Off'}</Text>
          {variant?.enabled === true && <Badge>Variant {variant.name}</Badge>}
        </Group>
        <Group gap={4}>
          {contextOf(context).map(([name, value]) => (
            <Code key={name}>
              {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
            </Code>
          ))}
        </Group>
        {hold !== null && <HoldAlert flag={{ project: projectId, name }} hold={hold} configuredOn={isConfiguredOn} />}
        <Text size="sm">{reasonOf(result)}</Text>
        {variant?.payload !== undefined && <Code block>{variant.payload.value}</Code>}
        {strategies.data.map((strategy, index) => (
          <StrategyResult key={strategy.id} strategy={strategy} place={index + 1} />
        ))}
      </Stack>
    </Card>
  );
}

/** Returns the fields of a context, including custom ones. */
function contextOf({ properties, ...context }: EvaluationResult['context']): readonly (readonly [string, unknown])[] {
  const own = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  return [...Object.entries(context), ...own];
}

/** Returns a sentence that gives the reason for the result. */
function reasonOf(result: EvaluationResult): string {
  const { isEnabled, isEnabledInCurrentEnvironment, hasUnsatisfiedDependency, lease: hold, strategies } = result;
  if (hold?.effect === 'off') return withoutHold(result);
  if (!isEnabledInCurrentEnvironment)
    return 'The flag is off in this environment. If it were on, its strategies would evaluate to:';
  if (hasUnsatisfiedDependency) return 'Its dependency is not satisfied.';
  if (isEnabled) return 'At least one strategy matches.';
  return strategies.result === 'unknown'
    ? 'Unknown: a custom strategy can be evaluated only by SDKs that implement it.'
    : 'No strategy matches.';
}

/** Returns a sentence that says whether the flag would be on without the hold. */
function withoutHold({ isConfiguredOn, hasUnsatisfiedDependency, strategies: { result } }: EvaluationResult): string {
  if (!isConfiguredOn) return 'Without the hold: off, as configured. If it were on, its strategies would evaluate to:';
  if (hasUnsatisfiedDependency) return 'Without the hold: off, because its dependency is not satisfied.';
  if (result === 'unknown') return 'Without the hold: unknown, because of a custom strategy.';
  return `Without the hold: ${result ? 'on' : 'off'}. Its strategies:`;
}

function StrategyResult({ strategy, place }: { readonly strategy: EvaluatedStrategy; readonly place: number }) {
  const { name, title, disabled, result, parameters, constraints, segments } = strategy;
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Strategy ${place}`}>
      <Stack gap="xs">
        <Group gap="xs">
          {!disabled && <Mark holds={result.enabled} />}
          <Strong>{title === undefined || title === '' ? name : title}</Strong>
          {disabled && <Badge color="gray">Disabled</Badge>}
        </Group>
        {segments.map((segment) => (
          <Stack key={segment.id} gap={4}>
            <Group gap="xs">
              <Mark holds={segment.result} />
              <Text size="sm">Segment {segment.name}</Text>
            </Group>
            <Constraints constraints={segment.constraints} />
          </Stack>
        ))}
        <Constraints constraints={constraints} />
        {result.enabled === false && !disabled && [...constraints, ...segments].every((part) => part.result) && (
          <Text size="sm">All constraints match, but its parameters exclude this context:</Text>
        )}
        {Object.keys(parameters).length > 0 && (
          <Group gap={4}>
            {Object.entries(parameters).map(([parameter, value]) => (
              <Code key={parameter}>
                {parameter}: {value}
              </Code>
            ))}
          </Group>
        )}
      </Stack>
    </Card>
  );
}

function Constraints({ constraints }: { readonly constraints: readonly EvaluatedConstraint[] }) {
  if (constraints.length === 0) return null;
  return (
    <List size="sm" spacing={4} listStyleType="none" pl="md">
      {constraints.map(({ result, overBudget, ...constraint }) => (
        <List.Item key={JSON.stringify(constraint)} icon={<Mark holds={result} />}>
          {describeConstraint(defined(constraint))}
          {overBudget === true && (
            <Muted>
              Not evaluated: the evaluation budget is used up, so the constraint counts as not matching. Use a shorter
              text, or fewer or smaller patterns.
            </Muted>
          )}
        </List.Item>
      ))}
    </List>
  );
}

/** Returns a constraint with default values in place of undefined ones. */
function defined(constraint: Omit<EvaluatedConstraint, 'result' | 'overBudget'>) {
  const { contextName, operator, value, values = [], inverted = false, caseInsensitive = false } = constraint;
  return { contextName, operator, value, values, inverted, caseInsensitive };
}

function Mark({ holds }: { readonly holds: boolean | 'unknown' }) {
  const words = holds === 'unknown' ? 'Unknown' : holds ? 'Matches' : 'Does not match';
  const Icon = holds === 'unknown' ? IconQuestionMark : holds ? IconCheck : IconX;
  return (
    <ThemeIcon size={20} radius="xl" variant={holds === true ? 'filled' : 'default'} role="img" aria-label={words}>
      <Icon size={14} aria-hidden />
    </ThemeIcon>
  );
}
