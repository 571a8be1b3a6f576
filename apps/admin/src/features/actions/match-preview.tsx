import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { matchPreviewQuery } from '../../entities/actions/action-queries.ts';
import { bodyOfFilters, filterPathProblem } from '../../entities/payload-filters/filter-draft.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { useMay } from '../../lib/me.ts';
import { TextLink } from '../../ui/link.tsx';
import { Hint } from '../../ui/text.tsx';
import type { ActionSetDraft } from './action-draft.ts';
import { isAll, matchText } from './match-text.ts';

interface Props {
  readonly draft: Pick<ActionSetDraft, 'sourceId' | 'forEach' | 'filters'>;
}

/** Says which of the signals of the last day the filters of a draft match, in red when they match all of them. */
export function MatchPreview({ draft: { sourceId, forEach, filters } }: Props) {
  const mayRead = useMay()('READ_SIGNALS');
  const array = forEach.trim();
  const body = useMemo(
    () => ({ payload: bodyOfFilters(filters), forEach: array === '' ? null : array }),
    [filters, array],
  );
  const [settled] = useDebouncedValue(body, 400);
  const enabled = mayRead && sourceId !== '' && filterPathProblem(filters) === undefined;
  const query = useQuery({
    ...matchPreviewQuery(Number(sourceId), settled),
    placeholderData: keepPreviousData,
    enabled,
  });
  useEachNewer('signals', query.refetch, enabled);
  const { data: preview, isError } = query;
  if (!enabled || preview === undefined || isError) return null;
  return (
    <Stack gap={2} role="status" aria-label="Matches of the last day">
      <Text
        size="sm"
        {...(isAll(preview) ? { fw: 600, c: 'var(--mantine-color-error)' } : {})}
        style={{ overflowWrap: 'anywhere' }}
      >
        {matchText(preview, settled.forEach)}
      </Text>
      {preview.examples.length > 0 && (
        <Hint component="div" style={{ overflowWrap: 'anywhere' }}>
          Newest:{' '}
          {preview.examples.map(({ signalId, element, title }, index) => (
            <span key={`${signalId} ${element}`}>
              {index > 0 && ', '}
              <TextLink to="/history" search={{ received: signalId }} size="xs" underline="always" target="_blank">
                {title ?? `signal ${signalId}`}
              </TextLink>
            </span>
          ))}
        </Hint>
      )}
    </Stack>
  );
}
