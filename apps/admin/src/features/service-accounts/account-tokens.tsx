import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SidePanel } from '../../ui/over-page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TokenForm } from '../personal-tokens/token-form.tsx';
import { type PersonalToken, TokenTable } from '../personal-tokens/token-table.tsx';
import type { ServiceAccount } from './account-queries.ts';

interface Props {
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}

const changes = ['GET /api/admin/service-account'] as const;
/** The server makes no more. */
const most = 10;

/** The tokens of a service account. */
export function AccountTokens({ account, onClose }: Props) {
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<PersonalToken>();
  const [secret, setSecret] = useState<string>();
  const { tokens, id } = account;
  return (
    <SidePanel onClose={onClose} size="lg" title={`Tokens of ${account.name}`}>
      <Stack>
        <Group>
          <Permitted needs="ADMIN">
            <Button onClick={() => setMaking(true)} disabled={tokens.length >= most}>
              New token
            </Button>
          </Permitted>
          <Text size="sm" c="dimmed">
            {tokens.length} of {most}
          </Text>
        </Group>
        {tokens.length === 0 ? (
          <Text size="sm">No token yet: nothing can act as this account.</Text>
        ) : (
          <TokenTable tokens={tokens} onRemove={setRemoving} />
        )}
      </Stack>
      {making && (
        <TokenForm
          save={(body) => api('POST /api/admin/service-account/:id/token', { params: { id }, body })}
          changes={changes}
          onMade={setSecret}
          onClose={() => setMaking(false)}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title="Delete token?"
          action="Delete token"
          run={() =>
            api('DELETE /api/admin/service-account/:id/token/:tokenId', { params: { id, tokenId: removing.id } })
          }
          changes={changes}
          onClose={() => setRemoving(undefined)}
        >
          What uses <b>{removing.description}</b> is refused from then on.
        </Confirm>
      )}
      <SecretOnce
        title="Service account token created"
        secret={secret === undefined ? undefined : { what: 'token', value: secret }}
        onClose={() => setSecret(undefined)}
      />
    </SidePanel>
  );
}
