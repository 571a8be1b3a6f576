import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TokenForm } from './token-form.tsx';
import { type PersonalToken, TokenTable } from './token-table.tsx';

const key = 'GET /api/admin/user/tokens';
/** The server makes no more (unleash-facts 6.8). */
const most = 10;

/** Tokens of the person who is signed in. */
export function OwnTokens() {
  const tokens = useQuery({ queryKey: [key], queryFn: async () => (await api(key)).pats });
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<PersonalToken>();
  const [secret, setSecret] = useState<string>();
  const count = tokens.data?.length ?? 0;
  return (
    <SectionCard
      title="Personal access tokens"
      description="A script that sends one may do what you may."
      actions={
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {tokens.data === undefined ? '' : `${count} of ${most}`}
          </Text>
          <Button variant="light" onClick={() => setMaking(true)} disabled={count >= most}>
            New token
          </Button>
        </Group>
      }
    >
      <Loaded query={tokens} rows={2}>
        {(list) =>
          list.length > 0 ? <TokenTable tokens={list} onRemove={setRemoving} /> : <Text size="sm">No token yet.</Text>
        }
      </Loaded>
      {making && (
        <TokenForm
          save={(body) => api('POST /api/admin/user/tokens', { body })}
          changes={[key]}
          onMade={setSecret}
          onClose={() => setMaking(false)}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title="Delete token?"
          action="Delete token"
          run={() => api('DELETE /api/admin/user/tokens/:id', { params: { id: removing.id } })}
          changes={[key]}
          onClose={() => setRemoving(undefined)}
        >
          What uses <b>{removing.description}</b> is refused from then on.
        </Confirm>
      )}
      <SecretOnce
        title="Personal access token created"
        secret={secret === undefined ? undefined : { what: 'token', value: secret }}
        onClose={() => setSecret(undefined)}
      />
    </SectionCard>
  );
}
