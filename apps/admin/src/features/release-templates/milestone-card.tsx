import { ActionIcon, Card, Group, Stack, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { FormError } from '../../ui/form-error.tsx';
import { Muted } from '../../ui/text.tsx';
import type { StrategyKnowledge } from '../strategies/index.ts';
import { MilestoneStrategies } from './milestone-strategies.tsx';
import type { MilestoneDraft } from './template-draft.ts';
import { TimeFields } from './time-fields.tsx';

interface Props {
  readonly milestone: MilestoneDraft;
  readonly index: number;
  readonly count: number;
  readonly known: StrategyKnowledge;
  /** The errors, by the path inside the milestone: `name`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (milestone: MilestoneDraft) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** Edits a milestone of a template: its name, its strategies and when the next one starts. */
export function MilestoneCard({ milestone, index, count, known, problems, onChange, onMove, onRemove }: Props) {
  const isLast = index === count - 1;
  const title = milestone.name.trim() === '' ? `milestone ${index + 1}` : milestone.name;
  return (
    <Card withBorder padding="md" component="li" aria-label={`Milestone ${index + 1}`}>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            flex={1}
            miw={0}
            label={`Name of milestone ${index + 1}`}
            value={milestone.name}
            onChange={({ currentTarget }) => onChange({ ...milestone, name: currentTarget.value })}
            error={problems.name}
            autoComplete="off"
            required
          />
          <Group gap={2} wrap="nowrap" pb={problems.name === undefined ? 0 : 22}>
            <IconButton label={`Move ${title} up`} icon={IconArrowUp} off={index === 0} onClick={() => onMove(-1)} />
            <IconButton label={`Move ${title} down`} icon={IconArrowDown} off={isLast} onClick={() => onMove(1)} />
            <IconButton label={`Remove ${title}`} icon={IconTrash} off={count === 1} onClick={onRemove} />
          </Group>
        </Group>
        <FormError>{problems.strategies}</FormError>
        <MilestoneStrategies
          milestone={milestone}
          title={title}
          known={known}
          problems={problems}
          onChange={onChange}
        />
        {isLast ? (
          <Muted>The last milestone: it is served until the plan is removed.</Muted>
        ) : (
          <TimeFields time={milestone.time} problems={problems} onChange={(time) => onChange({ ...milestone, time })} />
        )}
      </Stack>
    </Card>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly icon: typeof IconTrash;
  readonly off: boolean;
  readonly onClick: () => void;
}

/**
 * A button that can have the keyboard focus while it is off, so that the focus is not lost when the button turns off.
 */
function IconButton({ label, icon: Icon, off, onClick }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      {...(off ? { 'aria-disabled': true, 'data-disabled': true, bg: 'transparent' } : { onClick })}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
