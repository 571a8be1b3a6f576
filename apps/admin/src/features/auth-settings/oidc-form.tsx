import { Alert, Button, Group, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roleChoices, usersQuery } from '../../entities/users/user-queries.ts';
import { type Answer, api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { PartTitle } from '../../ui/text.tsx';

type Settings = Answer<'GET /api/admin/auth/oidc/settings'>;

interface Props {
  readonly settings: Settings;
  /** Whether environment variables set the values, so that they are read-only here. */
  readonly fixed: boolean;
}

const texts = ['discoverUrl', 'clientId', 'emailDomains', 'acrValues', 'groupJsonPath'] as const;
const choices = [
  'enabled',
  'autoCreate',
  'enableSingleSignOut',
  'enableGroupSyncing',
  'addGroupsScope',
  'enablePkce',
  'trustMissingEmailVerified',
] as const;

function valuesOf(settings: Settings) {
  return {
    ...(Object.fromEntries(texts.map((name) => [name, settings[name] ?? ''])) as Record<
      (typeof texts)[number],
      string
    >),
    ...(Object.fromEntries(choices.map((name) => [name, settings[name]])) as Record<(typeof choices)[number], boolean>),
    secret: '',
    defaultRootRoleId: `${settings.defaultRootRoleId}`,
    idTokenSigningAlgorithm: settings.idTokenSigningAlgorithm,
  };
}

function bodyOf({ secret, defaultRootRoleId, ...others }: ReturnType<typeof valuesOf>) {
  return {
    ...others,
    defaultRootRoleId: Number(defaultRootRoleId),
    // An empty field keeps the current secret.
    ...(secret === '' ? {} : { secret }),
  };
}

function useOidcForm(settings: Settings) {
  const form = useForm({
    initialValues: valuesOf(settings),
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const loaded = bodyOf(form.getInitialValues());
      const current = bodyOf(valuesOf(await api('GET /api/admin/auth/oidc/settings')));
      const body = { enabled: current.enabled, ...editedFields({ loaded, edited: bodyOf(values), current }) };
      return api('POST /api/admin/auth/oidc/settings', { body });
    },
    changes: ['GET /api/admin/auth/oidc/settings'],
    notice: 'Settings saved',
    onSaved: (saved) => {
      form.setValues(valuesOf(saved));
      form.resetDirty(valuesOf(saved));
    },
  });
  return { form, saving };
}

type OidcValuesForm = UseFormReturnType<ReturnType<typeof useOidcForm>['form']['values']>;

/** Edits the settings of the OpenID Connect provider. */
export function OidcForm({ settings, fixed }: Props) {
  const { form, saving } = useOidcForm(settings);
  const { data: instance } = useQuery(instanceQuery);
  const isAdmin = useMay()('ADMIN');
  const callback = `${instance?.unleashUrl ?? ''}/auth/oidc/callback`;
  return (
    <form onSubmit={saving.submit} noValidate>
      <fieldset disabled={fixed} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <Stack>
          <Switch label="Allow login through OpenID Connect" {...switchOf(form, 'enabled')} />
          <TextInput
            label="Redirect URL"
            description="Register this URL with the provider."
            readOnly
            variant="filled"
            value={callback}
            rightSection={<CopyButton value={callback} label="Copy the redirect URL" />}
          />
          {!isAdmin && (
            <Alert color="gray">
              Who may log in is decided by administrators: the provider, the e-mail domains, the groups and the role of
              new accounts. You need the permission ADMIN to change them.
            </Alert>
          )}
          <ProviderFields form={form} secretSet={settings.secretSet} isAdmin={isAdmin} />
          <AccountFields form={form} settings={settings} isAdmin={isAdmin} />
          <GroupFields form={form} isAdmin={isAdmin} />
          <FormError>{saving.formError}</FormError>
          <Group>
            <Permitted needs={['ADMIN', 'UPDATE_AUTH_CONFIGURATION']}>
              <Button type="submit" loading={saving.pending}>
                Save
              </Button>
            </Permitted>
          </Group>
        </Stack>
      </fieldset>
    </form>
  );
}

interface PartProps {
  readonly form: OidcValuesForm;
  /** Without ADMIN, the fields that decide who may log in are disabled, because the server refuses their change. */
  readonly isAdmin: boolean;
}

function switchOf(form: OidcValuesForm, name: (typeof choices)[number]) {
  return form.getInputProps(name, { type: 'checkbox' });
}

/** A titled group of fields, in two columns on wide screens. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="sm" mt="sm" component="section" aria-label={title}>
      <PartTitle>{title}</PartTitle>
      <SimpleGrid cols={{ base: 1, md: 2 }}>{children}</SimpleGrid>
    </Stack>
  );
}

function ProviderFields({ form, secretSet, isAdmin }: PartProps & { readonly secretSet: boolean }) {
  return (
    <Part title="Provider">
      <TextInput
        label="Discover URL"
        description="The URL of the provider or of its discovery document."
        disabled={!isAdmin}
        {...form.getInputProps('discoverUrl')}
      />
      <TextInput
        label="Client ID"
        description="The ID of this service at the provider."
        disabled={!isAdmin}
        {...form.getInputProps('clientId')}
      />
      <PasswordField
        label="Client secret"
        description={secretSet ? 'A secret is set. Leave empty to keep it.' : 'No secret is set.'}
        autoComplete="new-password"
        disabled={!isAdmin}
        {...form.getInputProps('secret')}
      />
      <Select
        label="ID token signing algorithm"
        description="The algorithm that the provider signs ID tokens with."
        data={['RS256', 'RS384', 'RS512']}
        allowDeselect={false}
        {...form.getInputProps('idTokenSigningAlgorithm')}
      />
      <TextInput
        label="ACR values"
        description="Requested from the provider, separated by spaces."
        {...form.getInputProps('acrValues')}
      />
      <Stack gap="sm" justify="center">
        <Switch label="PKCE" description="Proof Key for Code Exchange." {...switchOf(form, 'enablePkce')} />
        <Switch
          label="Single sign-out"
          description="Logging out here logs out at the provider too."
          {...switchOf(form, 'enableSingleSignOut')}
        />
      </Stack>
    </Part>
  );
}

function AccountFields({ form, settings, isAdmin }: PartProps & { readonly settings: Settings }) {
  // Only administrators may list the roles.
  const { data } = useQuery({ ...usersQuery, enabled: isAdmin });
  const saved = {
    value: `${settings.defaultRootRoleId}`,
    label: settings.defaultRootRole ?? `Role ${settings.defaultRootRoleId}`,
  };
  return (
    <Part title="Accounts">
      <Switch
        label="Create accounts on first login"
        description="If this is off, only users with an account can log in."
        {...switchOf(form, 'autoCreate')}
      />
      <Switch
        label="Trust unverified e-mail addresses"
        description="For providers that never mark e-mail addresses as verified."
        disabled={!isAdmin}
        {...switchOf(form, 'trustMissingEmailVerified')}
      />
      <Select
        label="Root role of new accounts"
        description="Permissions for the whole instance."
        data={data === undefined ? [saved] : roleChoices(data.rootRoles)}
        disabled={!isAdmin}
        allowDeselect={false}
        {...form.getInputProps('defaultRootRoleId')}
      />
      <TextInput
        label="Allowed e-mail domains"
        description="Comma-separated. Leave empty to allow all."
        disabled={!isAdmin}
        {...form.getInputProps('emailDomains')}
      />
    </Part>
  );
}

function GroupFields({ form, isAdmin }: PartProps) {
  return (
    <Part title="Groups">
      <Switch
        label="Sync groups from the provider"
        description="On login, users are added to the groups that are mapped to their provider groups, and removed from other groups."
        disabled={!isAdmin}
        {...switchOf(form, 'enableGroupSyncing')}
      />
      <Switch
        label="Request the scope “groups”"
        description="Some providers send groups only with this scope."
        {...switchOf(form, 'addGroupsScope')}
      />
      <TextInput
        label="Group field"
        description="The path of the groups in the ID token, such as groups or resource.groups."
        disabled={!isAdmin}
        {...form.getInputProps('groupJsonPath')}
      />
    </Part>
  );
}
