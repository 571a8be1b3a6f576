import { getRouteApi } from '@tanstack/react-router';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { ApiTokens } from './api-tokens.tsx';

const route = getRouteApi('/admin/api');

/** The API tokens of all projects. */
export function ApiTokensPage() {
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={titleOf('/admin/api')}
      guide="guides/sdks"
      description="SDKs and other clients authenticate with a token. Its secret is shown once, when it is created."
    >
      <ApiTokens
        query={query}
        onQuery={(text) => void navigate({ search: text === '' ? {} : { query: text }, replace: true })}
      />
    </Page>
  );
}
