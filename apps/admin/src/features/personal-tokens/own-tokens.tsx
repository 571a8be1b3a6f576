import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { PersonalTokenList } from './personal-token-list.tsx';

const key = 'GET /api/admin/user/tokens';

/** The personal tokens of the signed-in user. */
export function OwnTokens() {
  const { data: instance } = useQuery(instanceQuery);
  const tokens = useQuery(apiQuery(key, {}, ({ pats }) => pats));
  return (
    <SectionCard title="Personal access tokens" description="Scripts that use one have your permissions.">
      <Loaded query={tokens} rows={2}>
        {(list) => (
          <PersonalTokenList
            tokens={list}
            none="No tokens yet."
            create={(body) => api('POST /api/admin/user/tokens', { body })}
            remove={({ id }) => api('DELETE /api/admin/user/tokens/:id', { params: { id } })}
            changes={[key]}
            maxDays={instance?.personalTokenDays || undefined}
            made="Personal access token created"
          />
        )}
      </Loaded>
    </SectionCard>
  );
}
