import { Badge, Card, Code, Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react';
import { constraintInWords } from '../constraints/in-words.ts';
import { LeaseAlert } from '../flags/hold-alert.tsx';
import type { TriedResult } from './tried.ts';

type TriedStrategy = TriedResult['strategies']['data'][number];
type Told = TriedStrategy['constraints'][number];

/** Why a flag is what it is for somebody, down to each constraint. */
export function Why({ result }: { readonly result: TriedResult }) {
  const { context, isConfiguredOn, isEnabled, lease, strategies, variant } = result;
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <Group gap="xs">
          <Mark holds={isEnabled} />
          <Text fw={600}>{isEnabled ? 'On' : 'Off'}</Text>
          {variant?.enabled === true && (
            <Badge variant="light" tt="none">
              Variant {variant.name}
            </Badge>
          )}
        </Group>
        <Group gap={4}>
          {contextOf(context).map(([name, value]) => (
            <Code key={name}>
              {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
            </Code>
          ))}
        </Group>
        {lease !== null && <LeaseAlert lease={lease} configuredOn={isConfiguredOn} />}
        <Text size="sm">{reasonOf(result)}</Text>
        {variant?.payload !== undefined && <Code block>{variant.payload.value}</Code>}
        {strategies.data.map((strategy, index) => (
          <StrategyResult key={strategy.id} strategy={strategy} place={index + 1} />
        ))}
      </Stack>
    </Card>
  );
}

/** The context field by field, those that are the installation's own too. */
function contextOf({ properties, ...context }: TriedResult['context']): readonly (readonly [string, unknown])[] {
  const own = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  return [...Object.entries(context), ...own];
}

/** The reason in a sentence. */
function reasonOf(result: TriedResult): string {
  const { isEnabled, isEnabledInCurrentEnvironment, hasUnsatisfiedDependency, lease, strategies } = result;
  if (lease?.effect === 'off') return withoutLease(result);
  if (!isEnabledInCurrentEnvironment) return 'The flag is off in this environment. With it on, its strategies say:';
  if (hasUnsatisfiedDependency) return 'A flag that it depends on is not as it has to be.';
  if (isEnabled) return 'A strategy lets them have it.';
  return strategies.result === 'unknown'
    ? 'A custom strategy decides, which only an SDK that was taught it can evaluate.'
    : 'No strategy lets them have it.';
}

/** Says whether the flag would be on without the lease that holds it off. */
function withoutLease({ isConfiguredOn, hasUnsatisfiedDependency, strategies: { result } }: TriedResult): string {
  if (!isConfiguredOn) return 'Without the lease: off, as the flag is configured. With it on, its strategies say:';
  if (hasUnsatisfiedDependency)
    return 'Without the lease: off, because a flag that it depends on is not as it has to be.';
  if (result === 'unknown') return 'Without the lease: unknown, because a custom strategy decides.';
  return `Without the lease: ${result ? 'on' : 'off'}. Its strategies say:`;
}

function StrategyResult({ strategy, place }: { readonly strategy: TriedStrategy; readonly place: number }) {
  const { name, title, disabled, result, parameters, constraints, segments } = strategy;
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Strategy ${place}`}>
      <Stack gap="xs">
        <Group gap="xs">
          {!disabled && <Mark holds={result.enabled} />}
          <Text size="sm" fw={600}>
            {title === undefined || title === '' ? name : title}
          </Text>
          {disabled && (
            <Badge variant="light" color="gray" tt="none">
              Disabled
            </Badge>
          )}
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
        {result.enabled === false && !disabled && [...constraints, ...segments].every((one) => one.result) && (
          <Text size="sm">All of it holds, but its parameters leave them out:</Text>
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

function Constraints({ constraints }: { readonly constraints: readonly Told[] }) {
  if (constraints.length === 0) return null;
  return (
    <List size="sm" spacing={4} listStyleType="none" pl="md">
      {constraints.map(({ result, overBudget, ...constraint }) => (
        <List.Item key={JSON.stringify(constraint)} icon={<Mark holds={result} />}>
          {constraintInWords(defined(constraint))}
          {overBudget === true && (
            <Text size="sm" c="dimmed">
              Not tested: this would go over the budget of the evaluation, so it counts as not met. Use a shorter text,
              or fewer or smaller patterns.
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}

/** Without the fields that are undefined, which would hide what is usual. */
function defined(constraint: Omit<Told, 'result' | 'overBudget'>) {
  const { contextName, operator, value, values = [], inverted = false, caseInsensitive = false } = constraint;
  return { contextName, operator, value, values, inverted, caseInsensitive };
}

function Mark({ holds }: { readonly holds: boolean | 'unknown' }) {
  const words = holds === 'unknown' ? 'Unknown' : holds ? 'Holds' : 'Does not hold';
  const Icon = holds === 'unknown' ? IconQuestionMark : holds ? IconCheck : IconX;
  return (
    <ThemeIcon size={20} radius="xl" variant={holds === true ? 'filled' : 'default'} role="img" aria-label={words}>
      <Icon size={14} aria-hidden />
    </ThemeIcon>
  );
}
