import { ActionIcon, Button, Card, Group, Select, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ActionDefinitions } from '../../entities/actions/action-queries.ts';
import { WaysToStop } from '../../entities/safeguards/ways-to-stop.tsx';
import { Hint } from '../../ui/text.tsx';
import { type ActionDraft, newAction } from './action-draft.ts';
import { useFlagChoices } from './flag-choices.ts';
import { ParameterInput } from './parameter-input.tsx';

/** The paths of the run itself that outgoing calls may use, besides the payload. */
const pathsOfRun = ['run.url', 'run.id'];

interface Props {
  readonly projectId: string;
  readonly actions: readonly ActionDraft[];
  readonly definitions: ActionDefinitions;
  /** The payload paths that templates may use. */
  readonly paths: readonly string[];
  /** The errors, by path: `actions.0.executionParams.tag`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (actions: readonly ActionDraft[]) => void;
}

/** Edits the actions of a set. They run in order; a failed action stops the rest. */
export function ActionsEditor({ projectId, actions, definitions, paths, problems, onChange }: Props) {
  const move = (from: number, to: number) => {
    const next = [...actions];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  return (
    <Stack gap="sm">
      {actions.map((action, index) => (
        <Stack key={action.key} gap="sm">
          {index > 0 && (
            <Hint fw={600} tt="uppercase">
              then
            </Hint>
          )}
          <Action
            projectId={projectId}
            action={action}
            place={index + 1}
            definitions={definitions}
            paths={paths}
            problemAt={(path) => textOf(problems[`actions.${index}.${path}`])}
            onChange={(next) => onChange(actions.map((present) => (present.key === action.key ? next : present)))}
            onUp={index > 0 ? () => move(index, index - 1) : undefined}
            onDown={index < actions.length - 1 ? () => move(index, index + 1) : undefined}
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
        Add step
      </Button>
    </Stack>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);

interface ActionProps {
  readonly projectId: string;
  readonly action: ActionDraft;
  readonly place: number;
  readonly definitions: ActionDefinitions;
  readonly paths: readonly string[];
  readonly problemAt: (path: string) => string | undefined;
  readonly onChange: (action: ActionDraft) => void;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
}

function Action({
  projectId,
  action: draft,
  place,
  definitions,
  paths,
  problemAt,
  onChange,
  onUp,
  onDown,
  onRemove,
}: ActionProps) {
  const { action, params } = draft;
  const choices = useFlagChoices(projectId, params);
  const definition = definitions[action];
  const categories = [...new Set(Object.values(definitions).map(({ category }) => category))];
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Step ${place}`}>
      <Stack gap="xs">
        <Group gap={4} align="flex-start" wrap="nowrap">
          <Select
            flex={1}
            label={`Step ${place}`}
            description={definition?.description}
            data={categories.map((group) => ({
              group,
              items: Object.entries(definitions)
                .filter(([, kind]) => kind.category === group)
                .map(([value, { label }]) => ({ value, label })),
            }))}
            value={action === '' ? null : action}
            onChange={(chosen) => onChange({ ...draft, action: chosen ?? action })}
            error={problemAt('action')}
            searchable
            required
          />
          <Tool label={`Move step ${place} up`} icon={<IconArrowUp size={16} />} onClick={onUp} />
          <Tool label={`Move step ${place} down`} icon={<IconArrowDown size={16} />} onClick={onDown} />
          <Tool label={`Remove step ${place}`} icon={<IconTrash size={16} />} onClick={onRemove} />
        </Group>
        {action === 'HOLD_FEATURE' && <WaysToStop />}
        {definition?.parameters
          .filter(({ type }) => type !== 'hidden')
          .map((parameter) => (
            <ParameterInput
              key={parameter.name}
              parameter={parameter}
              value={params[parameter.name] ?? ''}
              paths={action === 'CALL_URL' && parameter.name !== 'url' ? [...pathsOfRun, ...paths] : paths}
              choices={choices[parameter.name]}
              problem={problemAt(`executionParams.${parameter.name}`)}
              onChange={(value) => onChange({ ...draft, params: { ...params, [parameter.name]: value } })}
            />
          ))}
      </Stack>
    </Card>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly onClick: (() => void) | undefined;
}

/** A small icon button. Renders nothing without a handler. */
function Tool({ label, icon, onClick }: ToolProps) {
  if (onClick === undefined) return null;
  return (
    <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label={label}>
      {icon}
    </ActionIcon>
  );
}
