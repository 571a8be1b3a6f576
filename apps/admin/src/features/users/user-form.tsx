import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { NewPassword } from '../login/new-password.tsx';
import { nameOf, type Person, roleChoices, usersQuery } from './user-queries.ts';

interface Props {
  /** The one that is edited; a new one is made without. */
  readonly user?: Person;
  readonly onClose: () => void;
}

interface UserValues extends Record<string, unknown> {
  name: string;
  email: string;
  username: string;
  rootRole: string;
  by: string;
  password: string;
}

type UserValuesForm = UseFormReturnType<UserValues>;

/** The values of the form, and what saves them; `onMade` is told of the link by which the user sets a password. */
function useUserForm({ user, onClose }: Props, onMade: (link: string) => void) {
  const form = useForm<UserValues>({
    initialValues: {
      name: user?.name ?? '',
      email: user?.email ?? '',
      username: user?.username ?? '',
      rootRole: user === undefined ? '' : `${user.rootRole}`,
      by: 'link',
      password: '',
    },
    validate: {
      rootRole: (role) => (role === '' ? 'Choose a role.' : null),
      username: (username, { email }) =>
        username.trim() === '' && email.trim() === '' ? 'Give a user name or an e-mail address.' : null,
    },
  });
  const saving = useSaving(form, {
    save: async ({ name, email, username, rootRole, by, password }) => {
      if (user !== undefined) {
        const texts = {
          ...(name === (user.name ?? '') ? {} : { name }),
          ...(email === (user.email ?? '') ? {} : { email }),
        };
        const body = { ...texts, rootRole: Number(rootRole) };
        await api('PUT /api/admin/user-admin/:id', { params: { id: user.id }, body });
        return undefined;
      }
      const named = { ...filled({ name, email, username }), rootRole: Number(rootRole) };
      const body = by === 'password' ? { ...named, password } : named;
      return (await api('POST /api/admin/user-admin', { body })).inviteLink;
    },
    changes: ['GET /api/admin/user-admin'],
    said: user === undefined ? 'User created' : 'User saved',
    onSaved: (link) => (link === undefined ? onClose() : onMade(link)),
  });
  return { form, saving };
}

/** Makes or edits a user. Who is new gets a password, or a link to set one, which is shown once. */
export function UserForm({ user, onClose }: Props) {
  const { data } = useQuery(usersQuery);
  const [link, setLink] = useState<string>();
  const { form, saving } = useUserForm({ ...(user === undefined ? {} : { user }), onClose }, setLink);
  if (link !== undefined)
    return (
      <SecretOnce
        title="User created"
        secret={{ what: 'link', value: link }}
        warning="Hand this link to the user yourself; no e-mail is sent. Whoever opens it within 24 hours sets the password."
        onClose={onClose}
      />
    );
  return (
    <FormDrawer
      title={user === undefined ? 'New user' : `Edit ${nameOf(user)}`}
      save={user === undefined ? 'Create user' : 'Save user'}
      saving={saving}
      onClose={onClose}
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <TextInput
        label="User name"
        description={user === undefined ? 'With it or the e-mail address they log in.' : 'It stays as it is.'}
        autoComplete="off"
        disabled={user !== undefined}
        {...form.getInputProps('username')}
      />
      <Select
        label="Root role"
        description="What they may do everywhere. Roles in projects come on top."
        required
        allowDeselect={false}
        data={roleChoices(data?.rootRoles)}
        {...form.getInputProps('rootRole')}
      />
      {user === undefined && <PasswordChoice form={form} />}
    </FormDrawer>
  );
}

function PasswordChoice({ form }: { readonly form: UserValuesForm }) {
  return (
    <>
      <Radio.Group label="Password" {...form.getInputProps('by')}>
        <Stack gap="xs" mt={4}>
          <Radio value="link" label="They choose one, by a link that I hand them" />
          <Radio value="password" label="I set one now" />
        </Stack>
      </Radio.Group>
      {form.values.by === 'password' && <NewPassword {...form.getInputProps('password')} />}
    </>
  );
}

/** The texts that say something; the server takes no empty ones. */
function filled<T extends Record<string, string>>(texts: T): Partial<T> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')) as Partial<T>;
}
