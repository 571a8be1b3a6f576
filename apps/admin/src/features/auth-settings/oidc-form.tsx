import { Button, Group, Select, SimpleGrid, Stack, Switch, TextInput, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Refusal } from '../../ui/form-drawer.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { roleChoices, usersQuery } from '../users/user-queries.ts';

type Settings = Answer<'GET /api/admin/auth/oidc/settings'>;

interface Props {
  readonly settings: Settings;
  /** Whether they cannot be changed here. */
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

function useOidcForm(settings: Settings) {
  const form = useForm({
    initialValues: {
      ...(Object.fromEntries(texts.map((name) => [name, settings[name] ?? ''])) as Record<
        (typeof texts)[number],
        string
      >),
      ...(Object.fromEntries(choices.map((name) => [name, settings[name]])) as Record<
        (typeof choices)[number],
        boolean
      >),
      secret: '',
      defaultRootRoleId: `${settings.defaultRootRoleId}`,
      idTokenSigningAlgorithm: settings.idTokenSigningAlgorithm,
    },
  });
  const saving = useSaving(form, {
    save: ({ secret, defaultRootRoleId, ...others }) =>
      api('POST /api/admin/auth/oidc/settings', {
        body: {
          ...others,
          defaultRootRoleId: Number(defaultRootRoleId),
          // One that is there stays unless another is typed.
          ...(secret === '' ? {} : { secret }),
        },
      }),
    changes: ['GET /api/admin/auth/oidc/settings'],
    said: 'Settings saved',
    onSaved: () => form.setFieldValue('secret', ''),
  });
  return { form, saving };
}

type OidcValuesForm = UseFormReturnType<ReturnType<typeof useOidcForm>['form']['values']>;

/** How people log in through an OpenID Connect provider. */
export function OidcForm({ settings, fixed }: Props) {
  const { form, saving } = useOidcForm(settings);
  const { data: instance } = useQuery(instanceQuery);
  const callback = `${instance?.unleashUrl ?? ''}/auth/oidc/callback`;
  return (
    <form onSubmit={saving.submit} noValidate>
      <fieldset disabled={fixed} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <Stack>
          <Switch label="People log in through OpenID Connect" {...switchOf(form, 'enabled')} />
          <TextInput
            label="Redirect URL"
            description="The provider is to send people back here."
            readOnly
            variant="filled"
            value={callback}
            rightSection={<CopyButton value={callback} label="Copy the redirect URL" />}
          />
          <ProviderFields form={form} secretSet={settings.secretSet} />
          <AccountFields form={form} />
          <GroupFields form={form} />
          <Refusal>{saving.refusal}</Refusal>
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
}

function switchOf(form: OidcValuesForm, name: (typeof choices)[number]) {
  return form.getInputProps(name, { type: 'checkbox' });
}

/** Fields about one thing; two beside each other where there is room. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="sm" mt="sm" component="section" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>{children}</SimpleGrid>
    </Stack>
  );
}

function ProviderFields({ form, secretSet }: PartProps & { readonly secretSet: boolean }) {
  return (
    <Part title="Provider">
      <TextInput
        label="Discover URL"
        description="The provider's address, or that of its discovery document."
        {...form.getInputProps('discoverUrl')}
      />
      <TextInput
        label="Client ID"
        description="As the provider knows this service."
        {...form.getInputProps('clientId')}
      />
      <PasswordField
        label="Client secret"
        description={secretSet ? 'One is set. It stays unless you type another.' : 'None is set yet.'}
        autoComplete="new-password"
        {...form.getInputProps('secret')}
      />
      <Select
        label="ID token signing algorithm"
        description="What the provider signs with."
        data={['RS256', 'RS384', 'RS512']}
        allowDeselect={false}
        {...form.getInputProps('idTokenSigningAlgorithm')}
      />
      <TextInput
        label="ACR values"
        description="Asked of the provider; separated by blanks."
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

function AccountFields({ form }: PartProps) {
  const { data } = useQuery(usersQuery);
  return (
    <Part title="Accounts">
      <Switch
        label="Make an account for who logs in first"
        description="Without it only people with an account get in."
        {...switchOf(form, 'autoCreate')}
      />
      <Switch
        label="Trust addresses that the provider says nothing about"
        description="Some providers never tell that an e-mail address is verified."
        {...switchOf(form, 'trustMissingEmailVerified')}
      />
      <Select
        label="Root role of new accounts"
        description="What they may do everywhere."
        data={roleChoices(data?.rootRoles)}
        allowDeselect={false}
        {...form.getInputProps('defaultRootRoleId')}
      />
      <TextInput
        label="E-mail domains"
        description="Only people of these, separated by commas; of all when empty."
        {...form.getInputProps('emailDomains')}
      />
    </Part>
  );
}

function GroupFields({ form }: PartProps) {
  return (
    <Part title="Groups">
      <Switch
        label="Groups follow the provider"
        description="Who logs in is put into the groups that are mapped to theirs, and taken out of the others."
        {...switchOf(form, 'enableGroupSyncing')}
      />
      <Switch
        label="Ask for the scope groups"
        description="Some providers name groups only then."
        {...switchOf(form, 'addGroupsScope')}
      />
      <TextInput
        label="Group field"
        description="Where the provider names groups, such as groups or resource.groups."
        {...form.getInputProps('groupJsonPath')}
      />
    </Part>
  );
}
