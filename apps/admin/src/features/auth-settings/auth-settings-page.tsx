import { Alert, Paper, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';
import { OidcForm } from './oidc-form.tsx';

const permission = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];
const passwords = 'GET /api/admin/auth/simple/settings';
const oidc = 'GET /api/admin/auth/oidc/settings';

/** The login settings: passwords and OpenID Connect. */
export function AuthSettingsPage() {
  const { data: instance } = useQuery(instanceQuery);
  const settings = useQuery(apiQuery(oidc));
  return (
    <Page
      title={titleOf('/admin/auth')}
      guide="guides/single-sign-on"
      description="Users log in with a password, through an OpenID Connect provider, or both."
    >
      <PasswordSwitch />
      <Paper withBorder p="lg">
        <Stack>
          <SectionTitle>OpenID Connect</SectionTitle>
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
  const [asking, setAsking] = useState(false);
  const settings = useQuery(apiQuery(passwords));
  const set = (disabled: boolean) => api('POST /api/admin/auth/simple/settings', { body: { disabled } });
  const allow = useChange({ run: () => set(false), changes: [passwords] });
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <SectionTitle>Passwords</SectionTitle>
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
