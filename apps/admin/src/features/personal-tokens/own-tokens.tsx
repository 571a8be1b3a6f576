import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ActingTokens } from './acting-tokens.tsx';

const key = 'GET /api/admin/user/tokens';

/** Tokens of the person who is signed in. */
export function OwnTokens() {
  const tokens = useQuery({ queryKey: [key], queryFn: async () => (await api(key)).pats });
  return (
    <SectionCard title="Personal access tokens" description="A script that sends one may do what you may.">
      <Loaded query={tokens} rows={2}>
        {(list) => (
          <ActingTokens
            tokens={list}
            none="No token yet."
            create={(body) => api('POST /api/admin/user/tokens', { body })}
            remove={({ id }) => api('DELETE /api/admin/user/tokens/:id', { params: { id } })}
            changes={[key]}
            made="Personal access token created"
          />
        )}
      </Loaded>
    </SectionCard>
  );
}
