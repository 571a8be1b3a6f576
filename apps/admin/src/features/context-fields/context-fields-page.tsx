import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { ContextFieldForm } from './context-field-form.tsx';
import { contextFieldRoutes } from './context-field-routes.ts';
import { ContextFieldTable } from './context-field-table.tsx';

const route = getRouteApi('/context');
const routes = contextFieldRoutes(undefined);

/** What constraints ask about, in every project. */
export function ContextFieldsPage() {
  const { query } = route.useSearch();
  const navigate = route.useNavigate();
  const fields = useQuery(routes.list());
  const [making, setMaking] = useState(false);
  return (
    <Page
      title={titleOf('/context')}
      description="What software tells about its users when it asks for a flag, and what constraints can ask about."
      actions={
        <NewButton needs={routes.needs.create} onClick={() => setMaking(true)}>
          New context field
        </NewButton>
      }
    >
      <SearchInput
        value={query}
        label="Search context fields"
        onChange={(text) => void navigate({ search: text === undefined ? {} : { query: text }, replace: true })}
      />
      <Loaded query={fields}>{(list) => <ContextFieldTable fields={list} query={query} routes={routes} />}</Loaded>
      {making && (
        <ContextFieldForm
          routes={routes}
          taken={fields.data?.map(({ name }) => name) ?? []}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}
