import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint } from '../../ui/text.tsx';

const keysRoute = 'GET /api/admin/action-calls/signing-keys';

/** Shows the public keys that verify the calls of actions, with a button that rotates the key. */
export function CallSigningKeys({ onClose }: { readonly onClose: () => void }) {
  const keys = useQuery(apiQuery(keysRoute));
  const [isRotating, setIsRotating] = useState(false);
  if (isRotating)
    return (
      <Confirm
        title="Rotate the signing key of action calls?"
        action="Rotate key"
        run={() => api('POST /api/admin/action-calls/signing-keys/rotate')}
        changes={[keysRoute]}
        onClose={() => setIsRotating(false)}
      >
        Every receiver of action calls needs the new public key. The current key signs besides for 24 hours.
      </Confirm>
    );
  return (
    <Dialog title="Signing key of action calls" onClose={onClose} size="lg">
      <Stack>
        <Text size="sm">
          A receiver verifies the header webhook-signature of action calls with this public key, as Standard Webhooks
          describes. It is no secret.
        </Text>
        <Loaded query={keys} rows={1}>
          {(data) =>
            data.keys.map(({ publicKey, until }) => (
              <Stack key={publicKey} gap={4}>
                <Group gap="xs" wrap="nowrap">
                  <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                    {publicKey}
                  </Code>
                  <CopyButton value={publicKey} label="Copy the public key" />
                </Group>
                {until !== null && (
                  <Hint component="div">
                    The previous key. It signs until <RelativeTime at={until} ahead />.
                  </Hint>
                )}
              </Stack>
            ))
          }
        </Loaded>
        <Group justify="space-between">
          <Permitted needs="ADMIN">
            <Button variant="default" onClick={() => setIsRotating(true)}>
              Rotate key
            </Button>
          </Permitted>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
