import { ActionIcon, Autocomplete, Button, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ActionDraft, newAction } from './action-draft.ts';
import type { ActionDefinitions } from './action-queries.ts';

interface Props {
  readonly actions: readonly ActionDraft[];
  readonly definitions: ActionDefinitions;
  /** What is wrong, by path: `actions.0.executionParams.tag`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (actions: readonly ActionDraft[]) => void;
}

/** What is done, one after the other; after one that fails the others are not begun. */
export function ActionsEditor({ actions, definitions, problems, onChange }: Props) {
  return (
    <Stack gap="sm">
      {actions.map((action, index) => (
        <Stack key={action.key} gap="sm">
          {index > 0 && (
            <Text size="xs" fw={600} c="dimmed" tt="uppercase">
              then
            </Text>
          )}
          <Action
            action={action}
            place={index + 1}
            definitions={definitions}
            problemAt={(path) => textOf(problems[`actions.${index}.${path}`])}
            onChange={(next) => onChange(actions.map((one) => (one.key === action.key ? next : one)))}
            onRemove={actions.length > 1 ? () => onChange(actions.filter(({ key }) => key !== action.key)) : undefined}
          />
        </Stack>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...actions, newAction()])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add action
      </Button>
    </Stack>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);

interface ActionProps {
  readonly action: ActionDraft;
  readonly place: number;
  readonly definitions: ActionDefinitions;
  readonly problemAt: (path: string) => string | undefined;
  readonly onChange: (action: ActionDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function Action({ action: draft, place, definitions, problemAt, onChange, onRemove }: ActionProps) {
  const { action, params } = draft;
  const definition = definitions[action];
  const set = (name: string, value: string) => onChange({ ...draft, params: { ...params, [name]: value } });
  const categories = [...new Set(Object.values(definitions).map(({ category }) => category))];
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Action ${place}`}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <Select
            flex={1}
            label={`Action ${place}`}
            description={definition?.description}
            data={categories.map((group) => ({
              group,
              items: Object.entries(definitions)
                .filter(([, one]) => one.category === group)
                .map(([value, { label }]) => ({ value, label })),
            }))}
            value={action === '' ? null : action}
            onChange={(chosen) => onChange({ ...draft, action: chosen ?? action })}
            error={problemAt('action')}
            searchable
            required
          />
          {onRemove !== undefined && (
            <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove action ${place}`}>
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
        {definition?.parameters
          .filter(({ type }) => type !== 'hidden')
          .map(({ name, label, type, optional, options = [] }) => {
            const common = { label, required: !optional, error: problemAt(`executionParams.${name}`) };
            return type === 'select' ? (
              // A value may also be taken from the payload, which is no option: `{{flag}}`.
              <Autocomplete
                key={name}
                {...common}
                data={[...new Set(options)]}
                limit={50}
                value={params[name] ?? ''}
                onChange={(value) => set(name, value)}
              />
            ) : (
              <TextInput
                key={name}
                {...common}
                inputMode={type === 'number' ? 'numeric' : 'text'}
                value={params[name] ?? ''}
                onChange={({ currentTarget }) => set(name, currentTarget.value)}
              />
            );
          })}
      </Stack>
    </Card>
  );
}
