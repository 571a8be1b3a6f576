import { getRouteApi } from '@tanstack/react-router';
import { SectionCard } from '../../ui/section-card.tsx';
import { ApiTokens } from '../api-tokens/index.ts';
import { useSettingsProject } from './settings-layout.tsx';

const route = getRouteApi('/projects/$projectId/settings/api-access');

/** The API tokens of a project. */
export function ApiAccessSettings() {
  const projectId = useSettingsProject();
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SectionCard
      title="API access"
      description="SDKs request the flags of this project with a token. Its secret is shown once, when it is created."
    >
      <ApiTokens
        projectId={projectId}
        query={query}
        onQuery={(text) => void navigate({ search: text === '' ? {} : { query: text }, replace: true })}
      />
    </SectionCard>
  );
}
