import { ActionIcon, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { describeStrategy } from '../../entities/strategies/describe-strategy.ts';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { SmallBadge } from '../../ui/text.tsx';
import type { StrategyKnowledge } from '../strategies/index.ts';
import { strategyBodyOf } from '../strategies/index.ts';
import { StrategyPanel } from './strategy-panel.tsx';
import {
  entryOf,
  gradual,
  type MilestoneDraft,
  problemsBelow,
  type StrategyEntry,
  withShare,
} from './template-draft.ts';

interface Props {
  readonly milestone: MilestoneDraft;
  /** Names the milestone for screen readers. */
  readonly title: string;
  readonly known: StrategyKnowledge;
  /** The errors, by the path inside the milestone: `strategies.0.parameters.rollout`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (milestone: MilestoneDraft) => void;
}

/**
 * Lists the strategies of a milestone. A strategy is edited in a panel; the percentage of a rollout can be edited in
 * its row too.
 */
export function MilestoneStrategies({ milestone, title, known, problems, onChange }: Props) {
  const { strategies } = milestone;
  /** The strategy in the panel. A new strategy is not in the list before it is saved. */
  const [open, setOpen] = useState<StrategyEntry>();
  const isNew = open !== undefined && !strategies.some(({ key }) => key === open.key);
  const at = strategies.findIndex(({ key }) => key === open?.key);
  const save = (entry: StrategyEntry) => {
    const next = isNew ? [...strategies, entry] : strategies.map((same) => (same.key === entry.key ? entry : same));
    onChange({ ...milestone, strategies: next });
    setOpen(undefined);
  };
  return (
    <Stack gap="xs">
      {strategies.map((entry, index) => (
        <StrategyRow
          key={entry.key}
          entry={entry}
          label={strategies.length === 1 ? title : `${title}, strategy ${index + 1}`}
          known={known}
          problems={problemsBelow(problems, `strategies.${index}`)}
          onShare={(share) => onChange(withShare(milestone, entry.key, share))}
          onEdit={() => setOpen(entry)}
          onRemove={() => onChange({ ...milestone, strategies: strategies.filter(({ key }) => key !== entry.key) })}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        px={4}
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-label={`Add strategy to ${title}`}
        onClick={() => setOpen(entryOf(gradual(100)))}
        style={{ alignSelf: 'flex-start' }}
      >
        Add strategy
      </Button>
      {open !== undefined && (
        <StrategyPanel
          entry={open}
          isNew={isNew}
          known={known}
          problems={isNew ? {} : problemsBelow(problems, `strategies.${at}`)}
          onSave={save}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Stack>
  );
}

interface RowProps {
  readonly entry: StrategyEntry;
  readonly label: string;
  readonly known: StrategyKnowledge;
  readonly problems: Readonly<Record<string, string>>;
  readonly onShare: (share: number | string) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function StrategyRow({ entry: { draft }, label, known, problems, onShare, onEdit, onRemove }: RowProps) {
  const { 'parameters.rollout': ofShare, ...others } = problems;
  const [other] = Object.values(others);
  return (
    <Stack gap={4}>
      <Group gap="sm" wrap="nowrap">
        {draft.name === 'flexibleRollout' && (
          <NumberInput
            aria-label={`Percentage of ${label}`}
            value={draft.parameters.rollout ?? ''}
            onChange={onShare}
            min={0}
            max={100}
            suffix=" %"
            w={92}
            error={ofShare !== undefined}
            style={{ flexShrink: 0 }}
          />
        )}
        <Text
          size="sm"
          flex={1}
          miw={0}
          style={{ overflowWrap: 'anywhere' }}
          {...(draft.disabled ? { c: 'dimmed' } : {})}
        >
          {inWords(draft, known)}
          {draft.disabled && (
            <>
              {' '}
              <SmallBadge color="gray" component="span">
                Disabled
              </SmallBadge>
            </>
          )}
        </Text>
        <Group gap={2} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={onEdit}
            aria-label={`Edit the strategy of ${label}`}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
          <RemoveButton size="lg" onClick={onRemove} label={`Remove the strategy of ${label}`} />
        </Group>
      </Group>
      {(ofShare ?? other) !== undefined && (
        <Text size="xs" c="red" role="alert">
          {ofShare ?? other}
        </Text>
      )}
    </Stack>
  );
}

function inWords(draft: StrategyEntry['draft'], { definitions, segments }: StrategyKnowledge): string {
  const definition = definitions.find(({ name }) => name === draft.name);
  const parameters = strategyBodyOf(draft, definition).parameters as Readonly<Record<string, string>>;
  const names = draft.segments.map((id) => segments.find((segment) => segment.id === id)?.name ?? `#${id}`);
  const words = describeStrategy({ ...draft, parameters, segments: names });
  return draft.title === '' ? words : `${draft.title}: ${words}`;
}
