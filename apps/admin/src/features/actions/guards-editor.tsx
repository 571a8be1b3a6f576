import { Anchor, Fieldset, Group, NumberInput, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { anyGuard, type GuardsDraft, guardPaths, type NumberGuard } from '../../entities/hours/guards.ts';
import { HoursEditor } from '../../entities/hours/hours-editor.tsx';
import { Hint, Strong } from '../../ui/text.tsx';

interface Props {
  readonly guards: GuardsDraft;
  /** The errors, by path: `guards.quorum.signals`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (guards: GuardsDraft) => void;
}

type Field = readonly [name: NumberGuard, label: string];

const groups: readonly { readonly title: string; readonly description: string; readonly fields: readonly Field[] }[] = [
  {
    title: 'Cool-down',
    description: 'A flag that these actions changed is not changed again within this time.',
    fields: [['cooldownSeconds', 'Seconds']],
  },
  {
    title: 'Flag limit per hour',
    description: 'Actions that would change more flags are skipped.',
    fields: [['flagsPerHour', 'Flags']],
  },
  {
    title: 'Quorum',
    description: 'Actions run only after this many matching signals within this time.',
    fields: [
      ['quorumSignals', 'Signals'],
      ['quorumTokens', 'Different tokens'],
      ['quorumWithin', 'Within seconds'],
    ],
  },
  {
    title: 'Flapping',
    description: 'A flag that actions changed this often within this time is not changed again.',
    fields: [
      ['flappingChanges', 'Changes'],
      ['flappingWithin', 'Within seconds'],
    ],
  },
];

/** Edits the guards of a set. The fields are folded while no guard is on. A guard is off while its fields are empty. */
export function GuardsEditor({ guards, problems, onChange }: Props) {
  const [isOpen, { open }] = useDisclosure(false);
  if (!isOpen && !anyGuard(guards) && !Object.values(guardPaths).some((path) => problems[path] !== undefined))
    return (
      <Anchor component="button" type="button" size="sm" onClick={open} style={{ alignSelf: 'flex-start' }}>
        Add guards: cool-down, flags per hour, quorum, flapping, hours
      </Anchor>
    );
  return (
    <Fieldset legend="Guards">
      <Guards guards={guards} problems={problems} onChange={onChange} />
    </Fieldset>
  );
}

function Guards({ guards, problems, onChange }: Props) {
  return (
    <Stack gap="md">
      {groups.map(({ title, description, fields }) => (
        <Stack key={title} gap={4} role="group" aria-label={title}>
          <Strong>{title}</Strong>
          <Hint>{description}</Hint>
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
      <HoursEditor
        hours={guards.hours}
        description="At other times, actions that hold or change flags are skipped. Releases run at all times."
        problems={problems}
        onChange={(hours) => onChange({ ...guards, hours })}
      />
    </Stack>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);
