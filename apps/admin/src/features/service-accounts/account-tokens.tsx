import { api } from '../../lib/api.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { PersonalTokenList } from '../personal-tokens/index.ts';
import type { ServiceAccount } from './account-queries.ts';

interface Props {
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}

/** The tokens of a service account. */
export function AccountTokens({ account: { id, name, tokens }, onClose }: Props) {
  return (
    <SidePanel onClose={onClose} size="lg" title={`Tokens of ${name}`}>
      <PersonalTokenList
        tokens={tokens}
        none="No tokens yet. Programs need a token to use this account."
        needs="ADMIN"
        create={(body) => api('POST /api/admin/service-account/:id/token', { params: { id }, body })}
        remove={({ id: tokenId }) =>
          api('DELETE /api/admin/service-account/:id/token/:tokenId', { params: { id, tokenId } })
        }
        changes={['GET /api/admin/service-account']}
        made="Service account token created"
      />
    </SidePanel>
  );
}
