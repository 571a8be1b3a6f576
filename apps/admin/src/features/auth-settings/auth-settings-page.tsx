import { Alert, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { titleOf } from '../../ui/places.ts';
import { useReport } from '../../ui/report.ts';
import { OidcForm } from './oidc-form.tsx';

const permission = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];
const passwords = 'GET /api/admin/auth/simple/settings';
const oidc = 'GET /api/admin/auth/oidc/settings';

/** How people log in. */
export function AuthSettingsPage() {
  const { data: instance } = useQuery(instanceQuery);
  const settings = useQuery({ queryKey: [oidc], queryFn: () => api(oidc) });
  return (
    <Page
      title={titleOf('/admin/auth')}
      description="How people log in: with a password, through an OpenID Connect provider, or both."
    >
      <PasswordSwitch />
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} size="h4">
            OpenID Connect
          </Title>
          {instance?.oidcConfiguredThroughEnv === true && (
            <Alert>The variables OIDC_… of the service say how; they can be changed there only.</Alert>
          )}
          <Loaded query={settings}>
            {(current) => <OidcForm settings={current} fixed={instance?.oidcConfiguredThroughEnv === true} />}
          </Loaded>
        </Stack>
      </Paper>
    </Page>
  );
}

function PasswordSwitch() {
  const queries = useQueryClient();
  const report = useReport();
  const [asking, setAsking] = useState(false);
  const settings = useQuery({ queryKey: [passwords], queryFn: () => api(passwords) });
  const set = (disabled: boolean) => api('POST /api/admin/auth/simple/settings', { body: { disabled } });
  const allow = useMutation({
    mutationFn: () => set(false),
    onError: report,
    onSettled: () => queries.invalidateQueries({ queryKey: [passwords] }),
  });
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Passwords
        </Title>
        <Loaded query={settings} rows={1}>
          {({ disabled }) => (
            <Permitted needs={permission}>
              <Switch
                label="People log in with a password"
                checked={!disabled}
                onChange={() => (disabled ? allow.mutate() : setAsking(true))}
              />
            </Permitted>
          )}
        </Loaded>
        <Text size="sm" c="dimmed">
          Without it everybody comes through the OpenID Connect provider. If that fails, nobody gets in.
        </Text>
      </Stack>
      {asking && (
        <Confirm
          title="Turn off login with passwords?"
          action="Turn it off"
          run={() => set(true)}
          changes={[passwords]}
          onClose={() => setAsking(false)}
        >
          Whoever has a password only is locked out. Make sure first that an administrator can log in through the OpenID
          Connect provider.
        </Confirm>
      )}
    </Paper>
  );
}
