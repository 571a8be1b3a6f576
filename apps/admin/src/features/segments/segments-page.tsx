import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { SegmentForm } from './segment-form.tsx';
import { SegmentTable } from './segment-table.tsx';

const route = getRouteApi('/segments');

/** The segments of all projects. */
export function SegmentsPage() {
  const { query } = route.useSearch();
  const navigate = route.useNavigate();
  const segments = useQuery(segmentsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const [making, setMaking] = useState(false);
  const count = segments.data?.length;
  const limit = limits?.segments;
  const full = limit !== undefined && count !== undefined && count >= limit;
  return (
    <Page
      title={titleOf('/segments')}
      description="Groups of users that the strategies of many flags share. A change applies to all of them."
      actions={
        <>
          <CountOfLimit count={count} limit={limit} noun="segment" />
          <NewButton needs="CREATE_SEGMENT" onClick={() => setMaking(true)} disabled={full}>
            New segment
          </NewButton>
        </>
      }
    >
      <SearchInput
        value={query}
        label="Search segments"
        onChange={(text) => void navigate({ search: text === undefined ? {} : { query: text }, replace: true })}
      />
      <Loaded query={segments}>{(list) => <SegmentTable segments={list} query={query} />}</Loaded>
      {making && <SegmentForm onClose={() => setMaking(false)} />}
    </Page>
  );
}
