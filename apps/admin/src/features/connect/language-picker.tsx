import { Chip, Group, Input } from '@mantine/core';
import { languages } from './languages/index.ts';

interface Props {
  /** The id of the chosen language. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const kinds = [...Map.groupBy(languages, ({ kind }) => kind)];

/** Chooses a language or a protocol. They are grouped by the kind of application. */
export function LanguagePicker({ value, onChange }: Props) {
  return (
    <Chip.Group multiple={false} value={value} onChange={onChange}>
      {kinds.map(([kind, members]) => (
        <Input.Wrapper key={kind} label={kind} labelElement="div">
          <Group gap="xs" mt={4} role="radiogroup" aria-label={kind}>
            {members.map(({ id, label }) => (
              <Chip key={id} value={id} size="xs" variant="light">
                {label}
              </Chip>
            ))}
          </Group>
        </Input.Wrapper>
      ))}
    </Chip.Group>
  );
}
