import { Group, NumberInput, Stack, Text } from '@mantine/core';
import { type GuardsDraft, guardPaths } from './guards.ts';

interface Props {
  readonly guards: GuardsDraft;
  /** What is wrong, by path: `guards.quorum.signals`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (guards: GuardsDraft) => void;
}

type Field = readonly [name: keyof GuardsDraft, label: string];

const groups: readonly { readonly title: string; readonly description: string; readonly fields: readonly Field[] }[] = [
  {
    title: 'Cool-down',
    description: 'A flag that these actions have changed is left alone that long.',
    fields: [['cooldownSeconds', 'Seconds to wait']],
  },
  {
    title: 'Most flags within an hour',
    description: 'What would change more flags than that is not done.',
    fields: [['flagsPerHour', 'Flags']],
  },
  {
    title: 'Quorum',
    description: 'So many signals that pass the filters have to come within that time before the actions run.',
    fields: [
      ['quorumSignals', 'Signals'],
      ['quorumTokens', 'From tokens'],
      ['quorumWithin', 'Within seconds'],
    ],
  },
  {
    title: 'Flapping',
    description: 'A flag that actions of any kind have changed so often within that time is left alone.',
    fields: [
      ['flappingChanges', 'Changes'],
      ['flappingWithin', 'Within seconds'],
    ],
  },
];

/** What keeps a set from doing too much; each guard is off while its fields are empty. */
export function GuardsEditor({ guards, problems, onChange }: Props) {
  return (
    <Stack gap="md">
      {groups.map(({ title, description, fields }) => (
        <Stack key={title} gap={4} role="group" aria-label={title}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="xs" c="dimmed">
            {description}
          </Text>
          <Group gap="sm" align="flex-start">
            {fields.map(([name, label]) => (
              <NumberInput
                key={name}
                label={label}
                w={140}
                min={1}
                allowDecimal={false}
                clampBehavior="none"
                value={guards[name]}
                onChange={(value) => onChange({ ...guards, [name]: value })}
                error={textOf(problems[guardPaths[name]])}
              />
            ))}
          </Group>
        </Stack>
      ))}
    </Stack>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);
