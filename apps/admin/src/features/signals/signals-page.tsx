import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery, type SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import type { SignalSearch } from '../../entities/signals/signal-search.ts';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { ReceivedSignals } from './received-signals.tsx';

const route = getRouteApi('/integrations/signals');
const about = 'Other systems send signals by HTTP POST to a signal endpoint. Actions of projects react to them.';

/** The page of the signal endpoints. */
export function SignalsPage() {
  const endpoints = useQuery(endpointsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const navigate = route.useNavigate();
  const show = (search: SignalSearch) => void navigate({ search });
  const [removing, setRemoving] = useState<SignalEndpoint>();
  const limit = limits?.signalEndpoints;
  const count = endpoints.data?.length;
  const full = limit !== undefined && count !== undefined && count >= limit;
  return (
    <Page
      title={titleOf('/integrations/signals')}
      guide="guides/signals"
      description={about}
      actions={
        <>
          <CountOfLimit count={count} limit={limit} noun="endpoint" />
          <ButtonLink to="/first-alert" variant="default">
            Try an alert
          </ButtonLink>
          <NewButton needs="ADMIN" onClick={() => show({ make: true })} disabled={full}>
            New signal endpoint
          </NewButton>
        </>
      }
    >
      <Loaded query={endpoints} rows={3}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No signal endpoints yet">
              Create one for each system that sends signals, such as your alerting or deployment system, and give it a
              token.
            </EmptyState>
          ) : (
            <EndpointTable
              endpoints={list}
              onView={({ id }) => show({ view: id })}
              onEdit={({ id }) => show({ edit: id })}
              onRemove={setRemoving}
            />
          )
        }
      </Loaded>
      {endpoints.data !== undefined && <OpenPanel endpoints={endpoints.data} show={show} />}
      {removing !== undefined && (
        <Confirm
          title="Delete signal endpoint?"
          action="Delete signal endpoint"
          typed={removing.name}
          run={() => api('DELETE /api/admin/signal-endpoints/:id', { params: { id: removing.id } })}
          changes={['GET /api/admin/signal-endpoints']}
          onClose={() => setRemoving(undefined)}
        >
          Signals to <b>{removing.name}</b> will be rejected, and its tokens are deleted. Received signals are kept.
        </Confirm>
      )}
    </Page>
  );
}

interface PanelProps {
  readonly endpoints: readonly SignalEndpoint[];
  readonly show: (search: SignalSearch) => void;
}

/** Shows the form or panel that the address names, over the list. */
function OpenPanel({ endpoints, show }: PanelProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const edited = endpoints.find(({ id }) => id === search.edit);
  const viewed = endpoints.find(({ id }) => id === search.view);
  const taken = endpoints.map(({ name }) => name);
  const form = { taken, onClose: () => show({}), onViewSignals: ({ id }: SignalEndpoint) => show({ view: id }) };
  return (
    <>
      {search.make && <EndpointForm {...form} />}
      {edited !== undefined && <EndpointForm key={edited.id} endpoint={edited} {...form} />}
      {viewed !== undefined && (
        <ReceivedSignals
          key={viewed.id}
          endpoint={viewed}
          search={search}
          onChange={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })}
          onClose={() => show({})}
          onViewConfiguration={() => show({ edit: viewed.id })}
        />
      )}
    </>
  );
}
