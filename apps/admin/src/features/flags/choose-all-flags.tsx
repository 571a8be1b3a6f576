import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useReport } from '../../ui/report.ts';
import type { FlagSearch } from './flag-search.ts';
import { foundNames, mostAtOnce } from './flag-search-query.ts';

interface Props {
  readonly projectId: string;
  readonly search: FlagSearch;
  /** How many are found. */
  readonly total: number;
  /** Names of the flags that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Chooses all that is found, also what is not in sight, or as many of it as can be changed together. */
export function ChooseAllFlags({ projectId, search, total, chosen, onChoose }: Props) {
  const report = useReport();
  const choose = useMutation({
    mutationFn: () => foundNames(projectId, search),
    onSuccess: (names) => {
      onChoose(() => new Set(names));
      if (total > names.length)
        notifications.show({
          message: `The first ${names.length.toLocaleString()} are chosen: no more can be changed together.`,
        });
    },
    onError: report,
  });
  const all = chosen.size > 0 && chosen.size >= Math.min(total, mostAtOnce);
  return (
    <Checkbox
      checked={all || choose.isPending}
      indeterminate={!all && !choose.isPending && chosen.size > 0}
      onChange={({ currentTarget: { checked } }) => (checked ? choose.mutate() : onChoose(() => new Set()))}
      aria-label="Choose all flags found"
    />
  );
}
