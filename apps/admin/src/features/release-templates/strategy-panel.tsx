import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { SidePanel } from '../../ui/dialog.tsx';
import { useFocusFirstErrorIn } from '../../ui/focus-first-error.ts';
import { Muted } from '../../ui/text.tsx';
import { StrategyForm, type StrategyKnowledge, strategyProblems } from '../strategies/index.ts';
import type { StrategyEntry } from './template-draft.ts';

interface Props {
  readonly entry: StrategyEntry;
  readonly isNew: boolean;
  readonly known: StrategyKnowledge;
  /** The errors of the strategy when the panel opens. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onSave: (entry: StrategyEntry) => void;
  readonly onClose: () => void;
}

/** Edits a strategy of a milestone. The change is saved only when the template on the page below is saved. */
export function StrategyPanel({ entry, isNew, known, problems: before, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(entry.draft);
  const [problems, setProblems] = useState(before);
  const form = useFocusFirstErrorIn<HTMLDivElement>(problems);
  const save = () => {
    const found = strategyProblems(
      draft,
      known.definitions.find(({ name }) => name === draft.name),
    );
    setProblems(found);
    if (Object.keys(found).length === 0) onSave({ ...entry, draft });
  };
  return (
    <SidePanel
      title={isNew ? 'Add a strategy' : 'Edit the strategy'}
      onClose={onClose}
      size={760}
      closeOnClickOutside={false}
    >
      <Stack ref={form}>
        <Muted>
          Leave the group ID empty: each plan then uses the name of its flag, so that users keep the flag from milestone
          to milestone.
        </Muted>
        <StrategyForm draft={draft} isNew={isNew} known={known} problems={problems} onChange={setDraft} />
        <Group>
          <Button onClick={save}>{isNew ? 'Add strategy' : 'Apply'}</Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </SidePanel>
  );
}
