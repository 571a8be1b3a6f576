import { ActionIcon, Autocomplete, Group, Menu, Text, Textarea } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import type { ActionDefinitions } from '../../entities/actions/action-queries.ts';
import type { Choice } from './flag-choices.ts';

interface Props {
  readonly parameter: ActionDefinitions[string]['parameters'][number];
  readonly value: string;
  /** The payload paths that templates may use. */
  readonly paths: readonly string[];
  /** The choices for values that the user cannot know, such as ids. */
  readonly choices: readonly Choice[] | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

const maxOffered = 100;
/** The placeholder that the server sends for a secret. */
const hidden = '*****';

/** Edits a parameter of an action. Any parameter may use a template such as `{{flag}}`. */
export function ParameterInput({ parameter, value, paths, choices, problem, onChange }: Props) {
  const { label, description, type, optional, options, optionLabels, secret = false } = parameter;
  const explained = Object.entries(optionLabels ?? {}).map(([option, words]) => ({ value: option, words }));
  const offered = choices !== undefined && choices.length > 0 ? choices : explained;
  const kept = secret && value === hidden;
  const common = { label, required: !optional, error: problem, value, flex: 1 };
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      {offered.length > 0 ? (
        <Chosen {...common} choices={offered} onChange={onChange} />
      ) : options === undefined ? (
        <Textarea
          {...common}
          description={kept ? 'Leave unchanged to keep the saved value.' : description}
          autosize
          minRows={1}
          maxRows={12}
          inputMode={type === 'number' ? 'numeric' : 'text'}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <Autocomplete
          {...common}
          description={description}
          data={[...new Set(options)]}
          limit={maxOffered}
          onChange={onChange}
        />
      )}
      {paths.length > 0 && (
        <FromPayload
          label={label}
          paths={paths}
          // A template replaces a value that was selected from a list, and is appended to text that was typed.
          onChoose={(template) => onChange(options === undefined && !kept ? value + template : template)}
        />
      )}
    </Group>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly value: string;
  readonly flex: number;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}

/** Accepts typed text too: a template, or a value that does not exist yet. */
function Chosen({ choices, value, ...rest }: ChosenProps) {
  const wordsOf = new Map(choices.map((choice) => [choice.value, choice.words]));
  const words = wordsOf.get(value);
  return (
    <Autocomplete
      {...rest}
      value={value}
      description={words === value ? undefined : words}
      data={choices.map((choice) => choice.value)}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {wordsOf.get(option.value)}
        </Text>
      )}
    />
  );
}

interface FromPayloadProps {
  readonly label: string;
  readonly paths: readonly string[];
  readonly onChoose: (template: string) => void;
}

/** A menu that inserts a payload path as a template. */
function FromPayload({ label, paths, onChoose }: FromPayloadProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={`${label}: insert a payload value`}>
          <IconBraces size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {paths.slice(0, maxOffered).map((path) => (
          <Menu.Item key={path} ff="monospace" fz="sm" onClick={() => onChoose(`{{${path}}}`)}>
            {`{{${path}}}`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
