import { MultiSelect, Stack, Text } from '@mantine/core';
import type { AllowDraft } from './action-draft.ts';
import type { ActionDefinitions } from './action-queries.ts';

interface Props {
  readonly allow: AllowDraft;
  readonly definitions: ActionDefinitions;
  /** What is wrong, by path: `allow.flags.0`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (allow: AllowDraft) => void;
}

const lists = [
  { name: 'flags', label: 'Flags that the payload may name', of: 'featureName' },
  { name: 'tags', label: 'Tags that it may name, or that make a flag one that it may', of: 'tag' },
  { name: 'environments', label: 'Environments that it may name', of: 'environment' },
] as const;

/** What values from a payload may name: whoever sends signals writes the payload. */
export function AllowEditor({ allow, definitions, problems, onChange }: Props) {
  return (
    <Stack gap="sm" role="group" aria-label="What the payload may name">
      <Text size="sm" c="dimmed">
        Whoever can send signals writes the payload. Say which flags, tags and environments of the project it may name
        in parameters such as {'{{item.labels.flag}}'}.
      </Text>
      {lists.map(({ name, label, of }) => (
        <MultiSelect
          key={name}
          label={label}
          data={choices(name, optionsOf(definitions, of), allow[name])}
          value={[...allow[name]]}
          onChange={(chosen) => onChange({ ...allow, [name]: chosen })}
          error={problemIn(problems, `allow.${name}`, allow[name])}
          searchable
          clearable
          limit={100}
          nothingFoundMessage="Nothing of that name"
        />
      ))}
    </Stack>
  );
}

/** What there is of a kind in the project, as the parameters of that name have it. */
function optionsOf(definitions: ActionDefinitions, name: string): readonly string[] {
  const parameters = Object.values(definitions).flatMap((definition) => definition.parameters);
  return parameters.find((one) => one.name === name && one.options !== undefined)?.options ?? [];
}

/** What is chosen stays a choice when it is gone. */
function choices(name: string, options: readonly string[], chosen: readonly string[]) {
  const named = [...new Set([...options, ...chosen])].filter((one) => one !== '*');
  const plain = named.map((value) => ({ value, label: value }));
  return name === 'flags' ? [{ value: '*', label: 'Any flag of the project' }, ...plain] : plain;
}

/** What the server has against the list or one of its values. */
function problemIn(problems: Props['problems'], path: string, values: readonly string[]): string | undefined {
  for (const [at, problem] of Object.entries(problems)) {
    if (typeof problem !== 'string') continue;
    if (at === path) return problem;
    if (at.startsWith(`${path}.`)) return `${values[Number(at.slice(path.length + 1))] ?? ''}: ${problem}`;
  }
  return undefined;
}
