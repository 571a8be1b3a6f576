import { Badge } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { SidePanel } from './dialog.tsx';
import { EmptyState } from './empty-state.tsx';
import { FlagLinkWithProject } from './flag-link.tsx';
import { Listing } from './listing.tsx';
import { Loaded } from './loaded.tsx';

/** A strategy that uses a segment or a context field. */
interface UsingStrategy {
  readonly id: string;
  readonly featureName: string;
  readonly projectId: string;
  readonly environment: string;
  readonly strategyName: string;
}

interface Props {
  readonly title: string;
  readonly query: UseQueryResult<readonly UsingStrategy[]>;
  readonly onClose: () => void;
}

/** Lists the strategies that use a segment or a context field, with their flags. */
export function Usage({ title, query, onClose }: Props) {
  return (
    <SidePanel onClose={onClose} size={720} title={title}>
      <Loaded query={query}>
        {(strategies) => (
          <Listing
            rows={strategies}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="Not used by any strategy">It can be deleted without changing any flag.</EmptyState>
            }
            spacing="xs"
            columns={[
              { header: 'Flag', cell: (strategy) => <FlagLinkWithProject {...strategy} /> },
              {
                header: 'Environment',
                cell: ({ environment }) => <Badge color="gray">{environment}</Badge>,
              },
              { header: 'Strategy', visibleFrom: 'sm', cell: ({ strategyName }) => strategyName },
            ]}
          />
        )}
      </Loaded>
    </SidePanel>
  );
}

/** Returns "3 flags in 2 projects", or "Not used". */
export function usedIn(features: number, projects: number): string {
  if (features === 0) return 'Not used';
  const flags = features === 1 ? '1 flag' : `${features} flags`;
  return projects > 1 ? `${flags} in ${projects} projects` : flags;
}
