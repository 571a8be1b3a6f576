import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

interface Props {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
  readonly label?: string;
  readonly align?: 'center' | 'flex-start';
}

/** A button that loads the next page of a list. Renders nothing after the last page. */
export function LoadMore({ query, label = 'Load more', align }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="default"
      onClick={() => void query.fetchNextPage()}
      loading={query.isFetchingNextPage}
      style={{ alignSelf: align }}
    >
      {label}
    </Button>
  );
}
