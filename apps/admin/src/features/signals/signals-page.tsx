import { Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limitsQuery } from '../../lib/instance.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { ReceivedSignals } from './received-signals.tsx';
import { RemoveEndpoint } from './remove-endpoint.tsx';
import { endpointsQuery, type SignalEndpoint } from './signal-queries.ts';

/** What lies over the table. */
type Open =
  | { readonly kind: 'form'; readonly endpoint?: SignalEndpoint }
  | { readonly kind: 'signals' | 'remove'; readonly endpoint: SignalEndpoint };

/** The endpoints that outside systems send signals to (specification section 1). */
export function SignalsPage() {
  const endpoints = useQuery(endpointsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const count = endpoints.data?.length ?? 0;
  const limit = limits?.signalEndpoints;
  const full = limit !== undefined && count >= limit;
  // What is edited may have changed meanwhile.
  const current = open?.endpoint && (endpoints.data?.find(({ id }) => id === open.endpoint?.id) ?? open.endpoint);
  return (
    <Page
      title={titleOf('/integrations/signals')}
      description="Outside systems report what happened by sending an HTTP POST to a signal endpoint."
      actions={
        <>
          {limit !== undefined && endpoints.data !== undefined && (
            <Tooltip label="The limit is a setting of the service.">
              <Text size="sm" c="dimmed">
                {count} of {limit}
              </Text>
            </Tooltip>
          )}
          <NewButton needs="ADMIN" onClick={() => setOpen({ kind: 'form' })} disabled={full}>
            New signal endpoint
          </NewButton>
        </>
      }
    >
      {endpoints.error !== null && <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {endpoints.isPending && <TableSkeleton rows={3} />}
      {endpoints.data?.length === 0 && (
        <EmptyState title="No signal endpoints yet">
          Make one for each system that has something to report, such as your alerting or your deploys, and give it a
          token.
        </EmptyState>
      )}
      {endpoints.data !== undefined && endpoints.data.length > 0 && (
        <EndpointTable
          endpoints={endpoints.data}
          onView={(endpoint) => setOpen({ kind: 'signals', endpoint })}
          onEdit={(endpoint) => setOpen({ kind: 'form', endpoint })}
          onRemove={(endpoint) => setOpen({ kind: 'remove', endpoint })}
        />
      )}
      {open?.kind === 'form' && (
        <EndpointForm
          endpoint={current}
          taken={endpoints.data?.map(({ name }) => name) ?? []}
          onClose={close}
          onViewSignals={(endpoint) => setOpen({ kind: 'signals', endpoint })}
        />
      )}
      {open?.kind === 'signals' && current !== undefined && (
        <ReceivedSignals
          endpoint={current}
          onClose={close}
          onViewConfiguration={() => setOpen({ kind: 'form', endpoint: current })}
        />
      )}
      {open?.kind === 'remove' && current !== undefined && <RemoveEndpoint endpoint={current} onClose={close} />}
    </Page>
  );
}
