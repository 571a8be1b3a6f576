import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReport } from '../../ui/report.ts';
import { foundNames, mostAtOnce, type Sought } from './flag-search-query.ts';

interface Props {
  readonly sought: Sought;
  /** How many are found. */
  readonly total: number;
  /** Names of the flags that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Chooses all that is found, also what is not in sight, or as many of it as can be changed together. */
export function ChooseAllFlags({ sought, total, chosen, onChoose }: Props) {
  const report = useReport();
  const choose = useMutation({
    mutationFn: () => foundNames(sought),
    onSuccess: (names) => {
      onChoose(() => new Set(names));
      if (total > names.length)
        notifications.show({
          message: `The first ${names.length.toLocaleString()} are chosen: no more can be changed together.`,
        });
    },
    onError: report,
    onSettled: () => setChoosing(false),
  });
  // The box is checked at once, while it is asked what is found.
  const [choosing, setChoosing] = useState(false);
  const all = chosen.size > 0 && chosen.size >= Math.min(total, mostAtOnce);
  return (
    <Checkbox
      checked={all || choosing}
      indeterminate={!all && !choosing && chosen.size > 0}
      onChange={({ currentTarget: { checked } }) => {
        setChoosing(checked);
        if (checked) choose.mutate();
        else onChoose(() => new Set());
      }}
      aria-label="Choose all flags found"
    />
  );
}
