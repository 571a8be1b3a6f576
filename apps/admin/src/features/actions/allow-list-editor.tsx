import { MultiSelect, Stack } from '@mantine/core';
import type { ActionDefinitions } from '../../entities/actions/action-queries.ts';
import { Muted } from '../../ui/text.tsx';
import type { AllowDraft } from './action-draft.ts';

interface Props {
  readonly allow: AllowDraft;
  readonly definitions: ActionDefinitions;
  /** The errors, by path: `allow.flags.0`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (allow: AllowDraft) => void;
}

const lists = [
  { name: 'flags', label: 'Allowed flags', of: 'featureName' },
  { name: 'tags', label: 'Allowed tags (a flag with one of these tags is allowed too)', of: 'tag' },
  { name: 'environments', label: 'Allowed environments', of: 'environment' },
] as const;

/**
 * Edits the allow list: the flags, tags and environments that a payload may name, because senders write the payload.
 */
export function AllowListEditor({ allow, definitions, problems, onChange }: Props) {
  return (
    <Stack gap="sm" role="group" aria-label="Allow list">
      <Muted>
        Senders write the payload. Limit which flags, tags and environments it may name in parameters such as{' '}
        {'{{item.labels.flag}}'}.
      </Muted>
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
          nothingFoundMessage="No matches"
        />
      ))}
    </Stack>
  );
}

/** Returns the options of the first action parameter called `name` that has options. */
function optionsOf(definitions: ActionDefinitions, name: string): readonly string[] {
  const parameters = Object.values(definitions).flatMap((definition) => definition.parameters);
  return parameters.find((parameter) => parameter.name === name && parameter.options !== undefined)?.options ?? [];
}

/** Returns the options, including selected values that no longer exist. */
function choices(name: string, options: readonly string[], chosen: readonly string[]) {
  const named = [...new Set([...options, ...chosen])].filter((value) => value !== '*');
  const plain = named.map((value) => ({ value, label: value }));
  return name === 'flags' ? [{ value: '*', label: 'Any flag of the project' }, ...plain] : plain;
}

/** Returns the error of a list or of one of its values. */
function problemIn(problems: Props['problems'], path: string, values: readonly string[]): string | undefined {
  for (const [at, problem] of Object.entries(problems)) {
    if (typeof problem !== 'string') continue;
    if (at === path) return problem;
    if (at.startsWith(`${path}.`)) return `${values[Number(at.slice(path.length + 1))] ?? ''}: ${problem}`;
  }
  return undefined;
}
