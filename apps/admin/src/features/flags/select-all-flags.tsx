import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReportError } from '../../ui/report-error.ts';
import { type FlagListQuery, loadMatchingNames, maxBulkFlags } from './flag-search-query.ts';

interface Props {
  readonly listQuery: FlagListQuery;
  /** The number of matching flags. */
  readonly total: number;
  /** The names of the selected flags. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Selects all matching flags, also those that are not visible, up to the limit of a bulk change. */
export function SelectAllFlags({ listQuery, total, chosen, onChoose }: Props) {
  const report = useReportError();
  const choose = useMutation({
    mutationFn: () => loadMatchingNames(listQuery),
    onSuccess: (names) => {
      onChoose(() => new Set(names));
      if (total > names.length)
        notifications.show({
          message: `Selected the first ${names.length.toLocaleString()} flags, the most that can be changed at once.`,
        });
    },
    onError: report,
    onSettled: () => setChoosing(false),
  });
  // The box is checked while the names are loading.
  const [choosing, setChoosing] = useState(false);
  const all = chosen.size > 0 && chosen.size >= Math.min(total, maxBulkFlags);
  return (
    <Checkbox
      checked={all || choosing}
      indeterminate={!all && !choosing && chosen.size > 0}
      onChange={({ currentTarget: { checked } }) => {
        setChoosing(checked);
        if (checked) choose.mutate();
        else onChoose(() => new Set());
      }}
      aria-label="Select all matching flags"
    />
  );
}
