import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { contextFieldRoutes } from '../../entities/context-fields/context-field-routes.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ContextFieldForm } from './context-field-form.tsx';
import { ContextFieldTable } from './context-field-table.tsx';

const route = getRouteApi('/context');
const routes = contextFieldRoutes(undefined);

/** The context fields of all projects. */
export function ContextFieldsPage() {
  const { query } = route.useSearch();
  const navigate = route.useNavigate();
  const fields = useQuery(routes.list());
  const [making, setMaking] = useState(false);
  return (
    <Page
      title={titleOf('/context')}
      description="Values that applications send when they evaluate flags, and that constraints can use."
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
