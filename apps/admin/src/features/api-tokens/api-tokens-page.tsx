import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { ApiTokens } from './api-tokens.tsx';

const route = getRouteApi('/admin/api');

/** All tokens of SDKs and other clients. */
export function ApiTokensPage() {
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={titleOf('/admin/api')}
      description="SDKs and other clients get in with a token. Its secret is shown once, when it is made."
    >
      <ApiTokens
        query={query}
        onQuery={(text) => void navigate({ search: text === '' ? {} : { query: text }, replace: true })}
      />
    </Page>
  );
}
