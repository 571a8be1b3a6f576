import { Alert, Paper, Stack, Switch, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { Muted } from '../../ui/text.tsx';
import { OidcForm } from './oidc-form.tsx';

const permission = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];
const passwords = 'GET /api/admin/auth/simple/settings';
const oidc = 'GET /api/admin/auth/oidc/settings';

/** The login settings: passwords and OpenID Connect. */
export function AuthSettingsPage() {
  const { data: instance } = useQuery(instanceQuery);
  const settings = useQuery({ queryKey: [oidc], queryFn: () => api(oidc) });
  return (
    <Page
      title={titleOf('/admin/auth')}
      guide="guides/single-sign-on"
      description="Users log in with a password, through an OpenID Connect provider, or both."
    >
      <PasswordSwitch />
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} size="h4">
            OpenID Connect
          </Title>
          {instance?.oidcConfiguredThroughEnv === true && (
            <Alert>OpenID Connect is configured by environment variables (OIDC_…). Change it there.</Alert>
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
  const report = useReportError();
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
            <Permitted needs={permission} stays>
              <Switch
                label="Allow login with a password"
                checked={!disabled}
                onChange={() => (disabled ? allow.mutate() : setAsking(true))}
              />
            </Permitted>
          )}
        </Loaded>
        <Muted>
          If this is off, users log in only through the OpenID Connect provider. If the provider fails, users cannot log
          in.
        </Muted>
      </Stack>
      {asking && (
        <Confirm
          title="Turn off login with passwords?"
          action="Turn off passwords"
          run={() => set(true)}
          changes={[passwords]}
          onClose={() => setAsking(false)}
        >
          Users who have only a password will be locked out. First make sure that an administrator can log in through
          the OpenID Connect provider.
        </Confirm>
      )}
    </Paper>
  );
}
